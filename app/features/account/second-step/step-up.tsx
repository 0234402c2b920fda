import { useEffect, useId, useState } from 'react'
import { factorsOf } from '#app/session/client/current-user-sync.ts'
import type { SecondFactor } from '#app/session/current-user.ts'
import { openSession } from '#app/session/session.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { AnswerFactor } from './answer-factor.tsx'
import { onStepUp, type StepUpRequest } from './request-step-up.ts'

/**
 * On pages where the ways into an account are changed: asks for the second factor when the service wants it for a
 * change, over the form that it belongs to, so that nothing typed is lost.
 */
export function StepUpDialog() {
  const [request, setRequest] = useState<StepUpRequest>()
  const [factors, setFactors] = useState<readonly SecondFactor[]>([])
  const title = useId()
  useEffect(
    () =>
      onStepUp(async (asked) => {
        const { client } = await openSession()
        // The session at hand may know of other factors than the account has by now.
        const { data } = await client.getUser()
        const known = data.user ? factorsOf(data.user) : []
        if (known.length === 0) return asked.answer(false)
        setFactors(known)
        setRequest(asked)
      }),
    [],
  )
  if (!request) return null
  const close = (isGiven: boolean) => {
    request.answer(isGiven)
    setRequest(undefined)
  }
  return (
    <Dialog labelledBy={title} onClosed={() => close(false)}>
      {(dismiss) => (
        <>
          <h2 id={title} className="text-2xl">
            One more step
          </h2>
          <p className="mt-3 mb-5 text-muted">
            Before the way into your account changes, please confirm that it is you.
          </p>
          <AnswerFactor factors={factors} submitLabel="Continue" onGiven={async () => close(true)} />
          <Button look="secondary" className="mt-5" onClick={dismiss}>
            Cancel
          </Button>
        </>
      )}
    </Dialog>
  )
}
