import { lazy, Suspense, useEffect, useRef } from 'react'
import { href, useRevalidator } from 'react-router'
import { useCurrentUser, useMember, VisitorsOnly, WhileUnknown } from '#app/session/current-user.tsx'
import { startSession } from '#app/session/session.ts'
import { useSettings } from '#app/session/site.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { OptionalPart } from '#app/ui/optional-part.tsx'

// Visitors download nothing of it.
const MemberCorner = lazy(async () => ({
  default: (await import('#app/features/profile/member-corner.tsx')).MemberCorner,
}))

/** The header's account corner: Login for visitors, picture and Logout for members. */
export function AccountCorner() {
  const member = useMember()
  const place = <span className="block size-11 rounded-full bg-sunken" />
  return (
    <>
      {member && (
        <OptionalPart otherwise={<a href={href('/profile')}>Your profile</a>}>
          <Suspense fallback={place}>
            <MemberCorner member={member} />
          </Suspense>
        </OptionalPart>
      )}
      <WhileUnknown>{place}</WhileUnknown>
      <VisitorsOnly>
        <ButtonLink to={href('/login')} look="secondary">
          Login
        </ButtonLink>
      </VisitorsOnly>
    </>
  )
}

/** Finds out who reads the page. Pages come as visitors see them; for another current user they are asked for anew. */
export function SessionStarter() {
  const settings = useSettings()
  const user = useCurrentUser()
  const { revalidate } = useRevalidator()
  const id = user.state === 'member' ? user.member.id : undefined
  const shownTo = useRef<string | undefined>(undefined)

  useEffect(() => startSession(settings), [settings])
  useEffect(() => {
    if (user.state === 'unknown' || shownTo.current === id) return
    shownTo.current = id
    void revalidate()
  }, [user.state, id, revalidate])
  return null
}
