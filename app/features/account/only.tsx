import type { ReactNode } from 'react'
import { useCurrentUser } from '#app/session/current-user.ts'

interface OnlyProps {
  className?: string
  children: ReactNode
}

/** Shown unless there is a session; from the first paint on, also when it is not yet known who reads. */
export function VisitorsOnly({ className = '', children }: OnlyProps) {
  return useCurrentUser().state === 'member' ? null : (
    <div className={`visitors-only ${className}`}>{children}</div>
  )
}

/** What holds a member's place while their session is being opened. */
export function WhileUnknown({ className = '', children }: OnlyProps) {
  return useCurrentUser().state === 'unknown' ? (
    <div className={`members-only ${className}`}>{children}</div>
  ) : null
}

/** For members one thing, for visitors another; while it is not known, as it will probably be. */
export function MemberOrVisitor({ member, visitor }: { member: ReactNode; visitor: ReactNode }) {
  const { state } = useCurrentUser()
  if (state === 'member') return member
  return (
    <>
      <VisitorsOnly>{visitor}</VisitorsOnly>
      <WhileUnknown>
        <h1 className="text-2xl text-muted">One moment…</h1>
      </WhileUnknown>
    </>
  )
}
