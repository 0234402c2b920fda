import { randomUUID } from 'node:crypto'
import type { Transaction } from '#server/database/port.ts'
import { sealedAs } from '#server/tokens/encryption.ts'
import type { Client, Services } from '../context.ts'
import { insertAuthCode, SEALED_TOKENS } from '../flow-state.ts'
import type { ProviderTokens } from '../oauth/port.ts'
import type { Challenge } from '../pkce.ts'
import { withParameters } from '../redirects.ts'
import { digest } from '../secrets.ts'
import type { UserRow } from '../users/rows.ts'
import { type IssuedSession, startSession, tokenResponse } from './start.ts'

/** What the site gets for somebody who came back from a provider. */
export type Landing = { code: string } | { issued: IssuedSession; tokens: ProviderTokens }

interface Entry {
  user: UserRow
  provider: string
  /** What the session's amr claim will say. */
  method: 'oauth' | 'sso/saml'
  challenge: Challenge | undefined
  tokens: ProviderTokens
  client: Client
  notAfter?: string | undefined
}

/** A session, or (PKCE) a code that only the client that began can exchange for one. */
export async function openEntry(tx: Transaction, services: Services, entry: Entry): Promise<Landing> {
  const { user, provider, method, challenge, tokens, client, notAfter } = entry
  if (!challenge) {
    return { issued: await startSession(tx, services, { user, method, client, notAfter }), tokens }
  }
  const at = new Date(services.now()).toISOString()
  const code = randomUUID()
  const sealed = (token: string | undefined, column: string) =>
    token === undefined ? null : services.sealing.seal(token, sealedAs(column, digest(code)))
  await insertAuthCode(tx, {
    code,
    userId: user.id,
    provider,
    method,
    challenge,
    accessToken: sealed(tokens.accessToken, SEALED_TOKENS.access),
    refreshToken: sealed(tokens.refreshToken, SEALED_TOKENS.refresh),
    at,
  })
  return { code }
}

/** The site's address with the session in its fragment, or the code in its query (protocol.md, GET /callback). */
export async function landAt(services: Services, target: string, landing: Landing): Promise<string> {
  if ('code' in landing) return withParameters(target, 'query', { code: landing.code })
  const { user: _, ...session } = await tokenResponse(services, landing.issued)
  return withParameters(target, 'fragment', { ...session, ...named(landing.tokens), sb: '' })
}

/** A provider's tokens under the names that clients know. */
export const named = ({ accessToken, refreshToken }: ProviderTokens): Record<string, string> => ({
  ...(accessToken && { provider_token: accessToken }),
  ...(refreshToken && { provider_refresh_token: refreshToken }),
})
