import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { type Context, Provider } from 'oidc-provider'
import { createMemoryAdapter } from 'oidc-provider/lib/adapters/memory_adapter.js'

/** An account at the provider. */
export interface OpenIdUser {
  sub: string
  email?: string
  email_verified?: boolean
  name?: string
  picture?: string
}

interface Options {
  users: OpenIdUser[]
  /** Where it may send people back to: `<site>/auth/v1/callback`. May be told later, by `sendBackTo`. */
  redirectUri?: string
  /** True: people choose an account on a page. False: `signedIn` is used without a click. */
  interactive?: boolean
}

export const openIdClient = { clientId: 'walking-together', secret: 'a secret of the tests' }

export type OpenIdProvider = Awaited<ReturnType<typeof startOpenIdProvider>>

/** A real OpenID provider on a free port of 127.0.0.1, with a client of ours that must prove PKCE. */
export async function startOpenIdProvider({ users, redirectUri, interactive = false }: Options) {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const key = { ...(await exportJWK(privateKey)), kid: 'tests', alg: 'RS256', use: 'sig' }
  const serve = (uri: string) => new Provider(url, configuration({ users, redirectUri: uri, key }))
  let provider = serve(redirectUri ?? url)
  const state: { signedIn: string | undefined } = { signedIn: users[0]?.sub }
  server.on('request', async (request: IncomingMessage, response: ServerResponse) => {
    if (!request.url?.startsWith('/interaction/')) return provider.callback()(request, response)
    if (interactive && request.method === 'GET') return showChoice(response, users)
    const chosen = interactive ? new URLSearchParams(await text(request)).get('account') : state.signedIn
    await provider.interactionFinished(request, response, outcome(chosen || undefined))
  })
  return {
    url,
    /** What the service is configured with. */
    settings: { ...openIdClient, url },
    /** For sites whose address is known only after this provider's. */
    sendBackTo(uri: string) {
      provider = serve(uri)
    },
    /** Whoever "is signed in" there; undefined: they refuse. */
    be(sub: string | undefined) {
      state.signedIn = sub
    },
    /** An ID token as a phone app would get it, signed with the provider's own key. */
    idToken: (claims: JWTPayload, header = {}) =>
      new SignJWT({ iss: url, aud: openIdClient.clientId, ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: 'tests', ...header })
        .setIssuedAt(claims.iat)
        .setExpirationTime(claims.exp ?? '5 minutes')
        .sign(privateKey),
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const outcome = (accountId: string | undefined) =>
  accountId ? { login: { accountId } } : { error: 'access_denied', error_description: 'The person said no' }

const configuration = ({ users, redirectUri, key }: Options & { key: object }) => ({
  clients: [
    {
      client_id: openIdClient.clientId,
      client_secret: openIdClient.secret,
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'client_secret_post',
    },
  ],
  adapter: createMemoryAdapter(),
  jwks: { keys: [key] },
  ttl: { Interaction: 600, Session: 600, Grant: 600, AuthorizationCode: 60, AccessToken: 600, IdToken: 600 },
  cookies: { keys: ['only for tests'] },
  features: { devInteractions: { enabled: false } },
  pkce: { required: () => true },
  interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
  claims: { email: ['email', 'email_verified'], profile: ['name', 'picture'] },
  findAccount: (_: unknown, id: string) => {
    const user = users.find(({ sub }) => sub === id)
    return user && { accountId: id, claims: () => user }
  },
  // Nobody is asked what the site may know.
  async loadExistingGrant({ oidc: { provider, client, session } }: Context) {
    const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
    grant.addOIDCScope('openid email profile')
    await grant.save()
    return grant
  },
})

/** One button for each account, and one to say no. */
function showChoice(response: ServerResponse, users: readonly OpenIdUser[]): void {
  const buttons = users.map(({ sub, name = sub }) => `<button name="account" value="${sub}">${name}</button>`)
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
  response.end(`<!doctype html><html lang="en"><title>Test provider</title><h1>Who are you?</h1>
    <form method="post">${buttons.join('')}<button name="account" value="">Cancel</button></form></html>`)
}
