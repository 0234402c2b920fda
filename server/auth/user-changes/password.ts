import type { Transaction } from '#server/database/port.ts'
import { audit } from '../audit.ts'
import type { Client, Member, Services } from '../context.ts'
import { notifyAccountChange } from '../emails.ts'
import { authErrors } from '../errors.ts'
import { tokenByCode } from '../one-time-tokens/find.ts'
import { takeToken } from '../one-time-tokens/repository.ts'
import { hashPassword, isPasswordOf, mustBeStrong } from '../passwords.ts'
import { updateUser } from '../users/queries.ts'
import type { UserRow } from '../users/user.ts'

const DAY_MS = 86_400_000

/** A new password that may be set, already hashed. */
export interface CheckedPassword {
  hash: string
  /** The code of GET /reauthenticate, still to be spent. */
  nonce: string | undefined
}

/** Everything that takes time or needs no transaction. Errors: weak_password, same_password, reauthentication_needed. */
export async function checkPassword(
  { settings, admission, now }: Services,
  { user, session }: Member,
  { password, nonce }: { password: string; nonce: string | undefined },
): Promise<CheckedPassword> {
  if (!user.email && !user.phone) throw authErrors.nowhereToSignIn()
  await mustBeStrong(password, settings.password)
  const isFresh = Date.parse(session.created_at) + DAY_MS > now()
  if (settings.reauthenticate && !isFresh && !nonce) throw authErrors.reauthenticationNeeded()
  const hash = await admission.passwords.run(user.id, async () => {
    if (await isPasswordOf(user.encrypted_password, password)) throw authErrors.samePassword()
    return hashPassword(password)
  })
  return { hash, nonce }
}

/** Errors: reauthentication_not_valid. */
export async function setPassword(
  tx: Transaction,
  services: Services,
  user: UserRow,
  { hash, nonce, client }: CheckedPassword & { client: Client },
): Promise<void> {
  if (nonce) await spendNonce(tx, services, user, nonce)
  await updateUser(tx, user.id, {
    encrypted_password: hash,
    updated_at: new Date(services.now()).toISOString(),
  })
  await audit(tx, { action: 'user_updated_password', actor: user, client })
  await notifyAccountChange(tx, services, user, 'passwordChanged')
}

async function spendNonce(tx: Transaction, services: Services, user: UserRow, code: string): Promise<void> {
  const address = user.email || user.phone || ''
  const types = ['reauthentication_token'] as const
  const token = await tokenByCode(tx, services, { userId: user.id, code, address, types })
  if (!token || !(await takeToken(tx, token.id))) throw authErrors.reauthenticationNotValid()
}
