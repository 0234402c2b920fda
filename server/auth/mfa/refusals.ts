import { audit } from '../audit.ts'
import type { Client, Services } from '../context.ts'
import { AuthError } from '../errors.ts'
import type { Metadata, UserRow } from '../users/user.ts'

interface Attempt {
  actor: Pick<UserRow, 'id' | 'email' | 'phone'>
  client: Client
  /** What was attempted; ids, never codes. */
  traits: Metadata
}

/** Writes refused proofs into the audit log, in a transaction of its own: that of the attempt is undone. */
export async function notingRefusals<T>(
  { db }: Pick<Services, 'db'>,
  { actor, client, traits }: Attempt,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AuthError && error.status < 500) {
      const entry = { action: 'verification_refused', actor, client } as const
      await db.asOwner('refused proof', (tx) =>
        audit(tx, { ...entry, traits: { ...traits, reason: error.code } }),
      )
    }
    throw error
  }
}
