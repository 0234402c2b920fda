import type { Transaction } from '#server/database/port.ts'
import { deleteTokensOf } from '../one-time-tokens/repository.ts'
import { deleteSessions } from '../sessions/repository.ts'
import { updateUser } from './repository.ts'

interface Kept {
  /** The session in which the change is made: whoever makes it stays signed in. */
  sessionId?: string | undefined
  /** The PKCE flow that the change itself ends. */
  flowId?: string | undefined
}

/**
 * After a new password or address, or a deletion: ends the sessions of the account, and voids whatever was begun
 * for it and not finished. In the transaction of the change, with the account's row locked.
 */
export async function revokeAccess(tx: Transaction, userId: string, kept: Kept = {}): Promise<void> {
  await voidPending(tx, userId, kept)
  await deleteSessions(tx, { userId, ...(kept.sessionId && { except: kept.sessionId }) })
}

/**
 * Voids mailed and texted links and codes, codes of PKCE flows, departures to link an identity, changes of an address,
 * and passkeys that are about to be added. A ban does this alone: sessions rest as long as it lasts, as in GoTrue.
 */
export async function voidPending(
  tx: Transaction,
  userId: string,
  { flowId }: Pick<Kept, 'flowId'> = {},
): Promise<void> {
  await deleteTokensOf(tx, userId)
  await tx.query(
    `delete from auth.flow_state where (user_id = $1 or linking_target_id = $1) and ($2::uuid is null or id <> $2::uuid)`,
    [userId, flowId ?? null],
  )
  await tx.query('delete from auth.webauthn_challenges where user_id = $1', [userId])
  await updateUser(tx, userId, { email_change: '', email_change_confirm_status: 0, phone_change: '' })
}
