import type { User } from '@supabase/auth-js'
import type { AdminAccess } from '../database-types.ts'
import type { Library } from '../library-client.ts'
import type { Member } from '../reader.ts'

/** The member's profile row; null when it cannot be read, which is only logged (specification, section 8). */
export async function findMember(library: Library, id: string): Promise<Member | null> {
  const { data, error } = await library.from('users').select().eq('id', id).single()
  if (error) {
    console.warn('The profile could not be loaded:', error.message)
    return null
  }
  const { email, name, avatar, role, savedResources } = data
  const member = { id, email: email ?? '', name: name || nameOf(email), avatar, role, savedResources }
  return role === 'admin' ? { ...member, adminAccess: await findAdminAccess(library) } : member
}

/** What cannot be found out is left to the database, which judges every call anyway. */
async function findAdminAccess(library: Library): Promise<AdminAccess> {
  const { data } = await library.rpc('admin_access')
  return data ?? 'open'
}

/** What the account alone tells of a member. Rights that only the profile can grant are not assumed. */
export const memberOf = ({ id, email = '' }: Pick<User, 'id' | 'email'>): Member => ({
  id,
  email,
  name: nameOf(email),
  avatar: null,
  role: 'member',
  savedResources: [],
})

/** The part of the address before the @ (specification, section 3). */
const nameOf = (email: string | null) => email?.split('@')[0] || 'Member'
