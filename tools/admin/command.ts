import { createClient } from '@supabase/supabase-js'
import { pino } from 'pino'
import type { Config } from '#server/config/config.ts'
import { SetupError } from '#server/config/env.ts'
import { openOwnDatabase } from '#server/database/open.ts'
import type { Database } from '#server/database/port.ts'

interface Outcome {
  lines: string[]
  exitCode: number
}

const usage = [
  'npm run admin -- list             who is admin',
  'npm run admin -- grant <email>    makes a member an admin',
  'npm run admin -- revoke <email>   makes an admin a member again',
]

const said = (...lines: string[]): Outcome => ({ lines, exitCode: 0 })
const failed = (...lines: string[]): Outcome => ({ lines, exitCode: 1 })

/** Does what the words on the command line say, and tells what came of it. */
export async function runAdminCommand(roster: Roster, words: readonly string[]): Promise<Outcome> {
  const [command, address = '', ...more] = words
  if (command === 'list' && !address) return list(roster)
  if ((command !== 'grant' && command !== 'revoke') || !address || more.length > 0) return failed(...usage)
  const email = address.toLowerCase()
  const role = await roster.roleOf(email)
  if (role === undefined) return failed(`Nobody has an account with the address ${email}.`)
  return command === 'grant' ? grant(roster, email, role) : revoke(roster, email, role)
}

async function list(roster: Roster): Promise<Outcome> {
  const admins = await roster.admins()
  return said(
    ...(admins.length > 0 ? admins : ['There is no admin. Make one: npm run admin -- grant <email>']),
  )
}

async function grant(roster: Roster, email: string, role: string): Promise<Outcome> {
  if (role === 'admin') return said(`${email} is an admin already.`)
  await roster.setRole(email, 'admin')
  return said(`${email} is an admin now.`)
}

async function revoke(roster: Roster, email: string, role: string): Promise<Outcome> {
  if (role !== 'admin') return said(`${email} is no admin.`)
  if ((await roster.admins()).length === 1) {
    return failed(`${email} is the only admin. Grant somebody else first, or nobody can manage the library.`)
  }
  await roster.setRole(email, 'member')
  return said(`${email} is a member again.`)
}

/** Straight from the database. */
export const rosterOverDatabase = (db: Database, close: () => Promise<void>): Roster => ({
  async admins() {
    const sql = `select email from public.users where role = 'admin' order by email`
    const { rows } = await db.asOwner('list admins', (tx) => tx.query<{ email: string }>(sql))
    return rows.map((row) => row.email)
  },
  async roleOf(email) {
    const sql = 'select role from public.users where lower(email) = $1'
    const { rows } = await db.asOwner('role of a member', (tx) => tx.query<{ role: string }>(sql, [email]))
    return rows[0]?.role
  },
  async setRole(email, role) {
    const sql = 'update public.users set role = $2 where lower(email) = $1'
    await db.asOwner('change the role of a member', (tx) => tx.query(sql, [email, role]))
  },
  close,
})

/** The members and their roles, wherever they are kept. */
export interface Roster {
  admins(): Promise<string[]>
  /** undefined: nobody has an account with that address. */
  roleOf(email: string): Promise<string | undefined>
  setRole(email: string, role: 'admin' | 'member'): Promise<void>
  close(): Promise<void>
}

/** Through a running service, or a hosted project, with the secret key. Errors: SetupError when it does not answer. */
function rosterOverApi(url: string, secretKey: string): Roster {
  const users = () => createClient(url, secretKey, { auth: { persistSession: false } }).from('users')
  const must = <T>({ data, error }: { data: T; error: { message: string } | null }): T => {
    if (error) throw new SetupError(`${url} did not answer as expected: ${error.message}`)
    return data
  }
  return {
    async admins() {
      const rows = must(await users().select('email').eq('role', 'admin').order('email'))
      return (rows ?? []).map((row) => String(row.email))
    },
    async roleOf(email) {
      const rows = must(await users().select('role').eq('email', email))
      return rows?.[0] && String(rows[0].role)
    },
    async setRole(email, role) {
      must(await users().update({ role }).eq('email', email))
    },
    close: async () => undefined,
  }
}

/** The members where the configuration says they are. Errors: those of `openOwnDatabase`. */
export async function openRoster(config: Config): Promise<Roster> {
  const { hosted, keys } = config
  if (hosted && keys.secret) return rosterOverApi(hosted.url, keys.secret)
  const { db, close } = await openOwnDatabase(config, pino({ level: 'silent' }))
  return rosterOverDatabase(db, close)
}
