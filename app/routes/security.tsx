import { useSearchParams } from 'react-router'
import { MemberOrVisitor } from '#app/features/account/only.tsx'
import { ProfileForMembers } from '#app/features/account/profile-page.tsx'
import { readSecurity } from '#app/features/account/security/read-security.ts'
import { SecurityPage } from '#app/features/account/security/security-page.tsx'
import { nextPage } from '#app/features/login/next-page.ts'
import { pageMeta } from '#app/features/seo/page-meta.ts'
import { useMember } from '#app/session/current-user.ts'
import { memberAccess } from '#app/session/session.ts'
import { Page } from '#app/ui/page.tsx'
import type { Route } from './+types/security'

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Account security',
    description: 'How you sign in, and what keeps others out.',
    path: '/profile/security',
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
