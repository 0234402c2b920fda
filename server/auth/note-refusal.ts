import { audit, unknownActor } from './audit.ts'
import { clientOf } from './client.ts'
import type { AuthContext } from './context.ts'
import { AuthError } from './errors.ts'

/** Writes down that somebody could not prove who they are, and why; outside the transaction, which came to nothing. */
export async function noteRefusal(c: AuthContext, error: unknown, provider?: string): Promise<void> {
  if (!(error instanceof AuthError)) return
  const traits = { reason: error.code, ...(provider && { provider }) }
  await c.var.services.db.asOwner('failed sign-in', (tx) =>
    audit(tx, { action: 'login_failed', actor: unknownActor, client: clientOf(c), traits }),
  )
}

/** For promises: notes the refusal, and passes it on. */
export const afterNoting =
  (c: AuthContext, provider?: string) =>
  async (error: unknown): Promise<never> => {
    await noteRefusal(c, error, provider)
    throw error
  }
