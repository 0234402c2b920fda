import type { Metadata } from '../users/user.ts'

/** Somebody as a provider describes them. */
export interface Person {
  /** The provider's own, lasting name for the account; an address may change hands, this may not. */
  subject: string
  /** In normal form (`fields.ts`); undefined when the provider tells none. */
  email: string | undefined
  /** Whether the provider has seen that the address is this person's. Only then may it lead to an account. */
  emailVerified: boolean
  /** What is kept in the identity and merged into the user's metadata, in GoTrue's words. */
  facts: Metadata
}

/** For the site to speak to the provider in the person's name; handed on, and kept no longer than a flow lasts. */
export interface ProviderTokens {
  accessToken?: string | undefined
  refreshToken?: string | undefined
}

/** What binds the provider's answer to the question: all three follow from the flow's id. */
export interface FlowProof {
  state: string
  nonce: string
  /** Of PKCE between us and the provider. */
  verifier: string
}

interface AuthorizationRequest {
  proof: FlowProof
  /** Beside those that are always asked for. */
  scopes: readonly string[]
  /** Further parameters of the client's for the provider, e.g. `prompt`. */
  parameters: Readonly<Record<string, string>>
}

export interface IdTokenProof {
  idToken: string
  /** Checked against the ID token's at_hash when both are there. */
  accessToken: string | undefined
  /** As the client knows it; the token's claim holds its SHA-256 in hex. */
  nonce: string | undefined
}

/** One provider, whatever it speaks. Errors: AuthError, with reasons that may be shown. */
export interface IdentityProvider {
  readonly name: string
  /** Where the browser is sent. */
  authorizationUrl(request: AuthorizationRequest): Promise<URL>
  /** Who came back. `answer` is our callback's address with what the provider appended. */
  handleCallback(answer: URL, proof: FlowProof): Promise<{ person: Person; tokens: ProviderTokens }>
  /** Who an ID token is about that a client got by itself; missing where there are none. */
  fromIdToken?(proof: IdTokenProof): Promise<Person>
}
