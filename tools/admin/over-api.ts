import { createClient } from '@supabase/supabase-js'
import { SetupError } from '#server/config/env.ts'
import type { Roster } from './roster.ts'

/** Through a running service, or a hosted project, with the secret key. Errors: SetupError when it does not answer. */
export function rosterOverApi(url: string, secretKey: string): Roster {
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
