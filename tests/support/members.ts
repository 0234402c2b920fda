import { GoTrueAdminApi, GoTrueClient } from '@supabase/auth-js'
import { PostgrestClient } from '@supabase/postgrest-js'
import type { ServerProcess } from './server-process.ts'

/** Somebody with an account on a running service. */
export interface Account {
  id: string
  email: string
  password: string
}

export const password = 'correct-horse-9'
let people = 0

const asService = (key: string) => ({ apikey: key, Authorization: `Bearer ${key}` })

export const adminApi = ({ url, keys }: ServerProcess) =>
  new GoTrueAdminApi({ url: `${url}/auth/v1`, headers: asService(keys.secret) })

/** The database's API with the secret key, which policies do not bind. */
export const serviceLibrary = ({ url, keys }: ServerProcess) =>
  new PostgrestClient(`${url}/rest/v1`, { headers: asService(keys.secret) })

/** Makes a confirmed account. @param saved ids that are on its list from the beginning */
export async function makeAccount(
  server: ServerProcess,
  role: 'member' | 'admin',
  {
    saved = [],
    email = `${role}-${Date.now()}-${people++}@example.org`,
  }: { saved?: string[]; email?: string } = {},
): Promise<Account> {
  const { data, error } = await adminApi(server).createUser({ email, password, email_confirm: true })
  if (error) throw error
  const { error: refused } = await serviceLibrary(server)
    .from('users')
    .update({ role, savedResources: saved })
    .eq('id', data.user.id)
  if (refused) throw new Error(refused.message)
  return { id: data.user.id, email, password }
}

/** A session as the browser's auth client stores it. */
export async function openSessionFor({ url, keys }: ServerProcess, { email }: Account) {
  const client = new GoTrueClient({
    url: `${url}/auth/v1`,
    headers: { apikey: keys.publishable },
    persistSession: false,
    autoRefreshToken: false,
  })
  const { data, error } = await client.signInWithPassword({ email, password })
  if (error) throw error
  return data.session
}
