import { randomBytes } from 'node:crypto'
import { hashPassword } from '#server/auth/password/passwords.ts'
import { claimUnconfirmedAccount, confirmAddress, createAccount } from '#server/auth/users/accounts.ts'
import { findUser, updateUser } from '#server/auth/users/queries.ts'
import type { UserRow } from '#server/auth/users/user.ts'
import { type Database, isUniqueViolation, type Transaction } from '#server/database/port.ts'

/** Who can sign in as admin now, and was not there before; the password only if it was made here. */
export interface NewAdmin {
  email: string
  madePassword: string | undefined
}

interface Wanted {
  email: string
  password: string | undefined
  /** New accounts need no confirmation (AUTH_AUTOCONFIRM): that one is confirmed proves nothing about who made it. */
  autoconfirm?: boolean
}

/** Nobody asked for this one by name: it is for the first start. */
const DEFAULT_ADMIN = 'admin@localhost.example'

/**
 * Sees to it that the configured admin exists. The default one is made only while there is no other admin, so that an
 * owner can remove it for good. An account that is there keeps its password, if somebody has proved the address. Returns the admin if it is new.
 */
export async function ensureAdmin(
  db: Database,
  { email: wanted, password, autoconfirm = false }: Wanted,
): Promise<NewAdmin | undefined> {
  const email = wanted.toLowerCase()
  const madePassword = password ? undefined : randomBytes(12).toString('base64url')
  const passwordHash = await hashPassword(password ?? madePassword ?? '')
  const isNew = await db
    .asOwner('see that there is an admin', async (tx) => {
      const known = await findUser(tx, { email }, { lock: true })
      if (!known && email === DEFAULT_ADMIN && (await hasAdmin(tx))) return false
      const isProved = known?.confirmed_at && (!autoconfirm || (await isAdmin(tx, known.id)))
      const user = isProved ? known : await createAdmin(tx, { email, passwordHash, known })
      await tx.query(`update public.users set role = 'admin' where id = $1 and role <> 'admin'`, [user.id])
      return user !== known
    })
    .catch((error) => {
      // Another process that starts on the same database was faster.
      if (isUniqueViolation(error)) return false
      throw error
    })
  return isNew ? { email, madePassword } : undefined
}

interface NewAccount {
  email: string
  passwordHash: string
  /** An account that nobody has confirmed: whoever signed up with this address need not be its owner. */
  known: UserRow | undefined
}

async function createAdmin(tx: Transaction, { email, passwordHash, known }: NewAccount): Promise<UserRow> {
  const at = new Date().toISOString()
  if (!known) return confirmAddress(tx, await createAccount(tx, { email, passwordHash, at }), 'email', at)
  const claimed = await claimUnconfirmedAccount(tx, { ...known, confirmed_at: null }, { at })
  await updateUser(tx, known.id, { encrypted_password: passwordHash })
  return confirmAddress(tx, claimed, 'email', at)
}

const isAdmin = async (tx: Transaction, id: string): Promise<boolean> =>
  (await tx.query(`select from public.users where id = $1 and role = 'admin'`, [id])).affected > 0

async function hasAdmin(tx: Transaction): Promise<boolean> {
  return (await tx.query(`select from public.users where role = 'admin' limit 1`)).affected > 0
}
