import { useEffect, useRef } from 'react'
import type { SecondFactor } from '#app/session/second-factor.ts'
import { openSession } from '#app/session/session.ts'
import { Button } from '#app/ui/button.tsx'
import { Page } from '#app/ui/page.tsx'
import { AnswerFactor } from './answer-factor.tsx'

/** After the password: asks for what else the account has to show. Nobody is signed in before. */
export function SecondStep({ factors }: { factors: readonly SecondFactor[] }) {
  const heading = useRef<HTMLHeadingElement>(null)
  // The form that was here is gone; screen readers hear what came in its place.
  useEffect(() => heading.current?.focus(), [])
  const leave = async () => (await openSession()).signOut()
  return (
    <Page>
      <div className="max-w-md">
        <h1 ref={heading} tabIndex={-1} className="text-title">
          One more step
        </h1>
        <p className="mt-3 mb-6 text-muted">Your account is protected by a second step.</p>
        <AnswerFactor factors={factors} submitLabel="Continue" />
        <p className="mt-8 text-muted">
          No way through? Sign out here, and ask us for help on the login page.
          <Button look="quiet" className="-ms-5 block" onClick={leave}>
            Sign in with another account
          </Button>
        </p>
      </div>
    </Page>
  )
}
