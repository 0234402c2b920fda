import type { Transaction } from '#server/database/port.ts'
import type { Services } from '../context.ts'
import { isPasswordOf } from '../passwords.ts'
import { OTP_LIFETIME_SECONDS } from '../settings.ts'
import { claimUnconfirmedAccount, createAccount, reload } from '../users/accounts.ts'
import { findUser, updateUser } from '../users/queries.ts'
import type { Metadata, UserRow } from '../users/user.ts'

export type Address = { email: string } | { phone: string }

/** What somebody who signs up wants to sign in with. */
export interface ChosenPassword {
  hash: string
  /** The hash that the address's account holds already, if it is of the same password. */
  earlierHash: string | undefined
}

/** Hashes are compared before the transaction; `hash` and the comparison take the same time for every address. */
export async function earlierHashOf(
  { db }: Pick<Services, 'db'>,
  address: Address,
  password: string,
): Promise<string | undefined> {
  const known = await db.asOwner('earlier sign-up', (tx) => findUser(tx, address))
  const hash = known?.confirmed_at ? null : known?.encrypted_password
  return (await isPasswordOf(hash, password)) ? (hash ?? undefined) : undefined
}

interface SignUp {
  address: Address
  password: ChosenPassword | undefined
  data: Metadata | undefined
  /** Nobody will be asked for a proof (autoconfirm), or an admin vouches: the last word counts. */
  isTrusted?: boolean
}

/**
 * The account that a sign-up is for: a new one, or one that nobody has confirmed, emptied of what others left in it.
 * None when it is confirmed.
 *
 * The password of a sign-up counts when it was the only one while its mail could be opened: of two people who sign up
 * with one address, nobody knows whose mail its owner will open. An account that an admin has invited takes nothing
 * from a sign-up (docs/decisions).
 */
export async function accountToConfirm(
  tx: Transaction,
  { now }: Pick<Services, 'now'>,
  signUp: SignUp,
): Promise<UserRow | undefined> {
  const { address, password, data } = signUp
  const at = new Date(now()).toISOString()
  const known = await findUser(tx, address, { lock: true })
  if (!known) return createAccount(tx, { ...address, passwordHash: password?.hash, data, at })
  if (known.confirmed_at) return undefined
  if (known.invited_at && !signUp.isTrusted) return known
  const isContested = !signUp.isTrusted && isAwaited(known, now()) && !isRepeated(known, password)
  const emptied = await claimUnconfirmedAccount(tx, known, { at })
  if (!isContested)
    await updateUser(tx, known.id, {
      encrypted_password: password?.hash ?? null,
      raw_user_meta_data: { ...data, ...emptied.raw_user_meta_data },
      updated_at: at,
    })
  return reload(tx, known.id)
}

const isAwaited = ({ confirmation_sent_at: sentAt }: UserRow, now: number): boolean =>
  sentAt !== null && Date.parse(sentAt) + OTP_LIFETIME_SECONDS * 1000 > now

const isRepeated = (known: UserRow, password: ChosenPassword | undefined): boolean =>
  password?.earlierHash !== undefined && password.earlierHash === known.encrypted_password
