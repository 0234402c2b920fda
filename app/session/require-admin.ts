import { redirect } from 'react-router'
import type { MemberAccess } from './library-client.ts'
import { memberAccess } from './session.ts'

/** For client loaders of admin pages: the library as the admin sees it. Everybody else goes to / (section 6). */
export async function requireAdmin(): Promise<MemberAccess> {
  const access = await memberAccess()
  if (access?.member.role !== 'admin') throw redirect('/')
  return access
}
