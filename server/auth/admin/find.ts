import { isUuid } from '#domain/uuid.ts'
import type { Transaction } from '#server/database/port.ts'
import type { AuthContext } from '../context.ts'
import { authErrors } from '../errors.ts'
import { findUser } from '../users/queries.ts'
import type { UserRow } from '../users/user.ts'

/** The id in the path. Errors: 404 validation_failed, as GoTrue has it. */
export function userIdOf(c: AuthContext): string {
  const id = c.req.param('id') ?? ''
  if (!isUuid(id)) throw authErrors.notFoundId('user_id must be an UUID')
  return id
}

/** The user, whom nobody else changes meanwhile. Errors: user_not_found. */
export async function userToChange(tx: Transaction, id: string): Promise<UserRow> {
  const user = await findUser(tx, { id }, { lock: true })
  if (!user) throw authErrors.userNotFound()
  return user
}
