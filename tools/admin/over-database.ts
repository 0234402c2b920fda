import type { Database } from '#server/database/port.ts'
import type { Roster } from './roster.ts'

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
