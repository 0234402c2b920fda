import type { Transaction } from '#server/database/port.ts'
import { reload } from '../users/accounts.ts'
import { findUser } from '../users/queries.ts'
import { lowerSessions } from './lift-session.ts'
import { deleteFactor } from './repository.ts'

/** Takes a factor away, with recovery codes that would be left alone, and the assurance that it gave to sessions. */
export async function removeFactor(tx: Transaction, userId: string, factorId: string): Promise<void> {
  await findUser(tx, { id: userId }, { lock: true })
  await deleteFactor(tx, factorId)
  const left = (await reload(tx, userId)).factors.filter(({ status }) => status === 'verified')
  if (left.every(({ factor_type: type }) => type === 'recovery_code')) {
    for (const { id } of left) await deleteFactor(tx, id)
  }
  await lowerSessions(tx, userId)
}
