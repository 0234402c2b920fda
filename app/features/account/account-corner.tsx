import { lazy, Suspense } from 'react'
import { useMember } from '#app/session/current-user.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { VisitorsOnly, WhileUnknown } from './only.tsx'

// Visitors download nothing of it.
const MemberCorner = lazy(async () => ({ default: (await import('./member-corner.tsx')).MemberCorner }))

/** The header's account corner: Login for visitors, picture and Logout for members. */
export function AccountCorner() {
  const member = useMember()
  const place = <span className="block size-11 rounded-full bg-sunken" />
  return (
    <>
      {member && (
        <Suspense fallback={place}>
          <MemberCorner member={member} />
        </Suspense>
      )}
      <WhileUnknown>{place}</WhileUnknown>
      <VisitorsOnly>
        <ButtonLink to="/login" look="secondary">
          Login
        </ButtonLink>
      </VisitorsOnly>
    </>
  )
}
