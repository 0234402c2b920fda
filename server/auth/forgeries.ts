import { networkOf } from '#server/http/client-address.ts'
import { TokenRefused } from '#server/tokens/authenticate.ts'
import { audit } from './audit.ts'
import { clientOf } from './client.ts'
import type { AuthContext } from './context.ts'

/** Nobody is known to have sent it. */
const nobody = { id: '00000000-0000-0000-0000-000000000000', email: null, phone: null }

/**
 * The claims of an access token. One that is not ours is written into the audit log, a few per address and no more: the
 * log is not the sender's to fill. Errors: TokenRefused.
 */
export async function claimsOf(c: AuthContext, bearer: string): Promise<Record<string, unknown>> {
  try {
    return await c.var.services.tokens.verify(bearer)
  } catch (error) {
    if (error instanceof TokenRefused && !error.expired) await note(c, error.message)
    throw error
  }
}

async function note(c: AuthContext, reason: string): Promise<void> {
  const { db, limits } = c.var.services
  const client = clientOf(c)
  const isAmongFew = await limits.count('forgery', networkOf(client.address)).then(
    () => true,
    () => false,
  )
  if (!isAmongFew) return
  await db.asOwner('refused token', (tx) =>
    audit(tx, { action: 'token_refused', actor: nobody, client, traits: { reason } }),
  )
}
