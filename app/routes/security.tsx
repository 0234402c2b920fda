import { href, useSearchParams } from 'react-router'
import { nextPage } from '#app/features/login/admin-access.tsx'
import { ProfileForMembers } from '#app/features/profile/profile-page.tsx'
import { readSecurity, SecurityPage, securityAction } from '#app/features/security/security-page.tsx'
import { pageMeta } from '#app/features/seo/page-meta.ts'
import { MemberOrVisitor, useMember } from '#app/session/current-user.tsx'
import { memberAccess } from '#app/session/session.ts'
import { Page } from '#app/ui/page.tsx'
import type { Route } from './+types/security'

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Account security',
    description: 'How you sign in, and what keeps others out.',
    path: href('/profile/security'),
    hidden: true,
  })

/** Only in the browser: the server knows no member. */
export async function clientLoader() {
  const access = await memberAccess()
  if (!access) return null
  try {
    return await readSecurity(access.settings)
  } catch (error) {
    // A session that was ended elsewhere is no failure: its reader is a visitor now.
    if (!(await memberAccess())) return null
    throw error
  }
}

export const clientAction = securityAction

export const HydrateFallback = () => (
  <Page>
    <MemberOrVisitor member={null} visitor={<ProfileForMembers />} />
  </Page>
)

export default function SecurityRoute({ loaderData: security }: Route.ComponentProps) {
  const member = useMember()
  const [search] = useSearchParams()
  if (!member || !security) return <HydrateFallback />
  return (
    <Page>
      <SecurityPage security={security} next={nextPage(search)} />
    </Page>
  )
}
