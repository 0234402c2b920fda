import { randomInt, randomUUID } from 'node:crypto'
import type { Transaction } from '#server/database/port.ts'
import { nowIso, type Services } from '../context.ts'
import { createAccount, type NewAccount } from './accounts.ts'
import { type Address, type RenderedUser, textOf, type UserRow } from './user.ts'

interface UserOrNobody {
  /** undefined: there is no such account, or nothing may be done for it. */
  user: UserRow | undefined
  /** What was asked about. */
  address: Address
  /** The account was made just now, which took what a made-up one takes. */
  isNew?: boolean
}

/**
 * Does `work` for an account, or, so that nobody learns whether there is one, for a made-up one of which nothing stays.
 * The made-up account is made in either case, unless a real one was made just now: answer and time are the same by doing the same, not by waiting
 * (docs/decisions/0028).
 * @returns what `work` has returned for the account that it was given
 */
export async function forUserOrObfuscated<T>(
  tx: Transaction,
  services: Pick<Services, 'now'>,
  { user, address, isNew = false }: UserOrNobody,
  work: (user: UserRow, address: string) => Promise<T>,
): Promise<T> {
  if (user && isNew) return work(user, textOf(address))
  const answer = await withObfuscatedUser(tx, services, { address }, async (obfuscated, madeUp) =>
    user ? undefined : { result: await work(obfuscated, madeUp) },
  )
  return answer ? answer.result : work(user as UserRow, textOf(address))
}

interface ObfuscatedUser {
  /** What kind of address the made-up account has. */
  address: Address
  /** What a new account would be made with; to be given where the answer shows it. */
  account?: Pick<NewAccount, 'passwordHash' | 'data'>
}

/** Does `work` for a made-up account, and takes everything back. Whatever is true of real accounts is true of it. */
export async function withObfuscatedUser<T>(
  tx: Transaction,
  { now }: Pick<Services, 'now'>,
  { address, account }: ObfuscatedUser,
  work: (obfuscated: UserRow, address: string) => Promise<T>,
): Promise<T> {
  const madeUp = madeUpAddress(address)
  await tx.query('savepoint obfuscated')
  const obfuscated = await createAccount(tx, { ...madeUp, ...account, at: nowIso({ now }) })
  const result = await work(obfuscated, textOf(madeUp))
  await tx.query('rollback to savepoint obfuscated')
  return result
}

/** Nobody has these: .invalid is no domain (RFC 2606), and no country's code begins with 999. */
const madeUpAddress = (address: Address): Address =>
  'email' in address
    ? { email: `${randomUUID()}@decoy.invalid` }
    : {
        phone: `999${String(randomInt(2 ** 40))
          .padStart(12, '0')
          .slice(-12)}`,
      }

/** The answer about a made-up account, with the address that was asked about in the place of its own. */
export function renderAsIfFor(address: Address, rendered: RenderedUser, madeUp: string): RenderedUser {
  const inJson = (text: string) => JSON.stringify(text).slice(1, -1)
  const answer = JSON.stringify(rendered).replaceAll(inJson(madeUp), () => inJson(textOf(address)))
  return JSON.parse(answer) as RenderedUser
}
