import { useEffect, useId } from 'react'
import { MfaChallenge } from '#app/features/login/mfa-challenge.tsx'
import { factorsOf } from '#app/session/client/current-user-sync.ts'
import type { SecondFactor } from '#app/session/current-user.tsx'
import { openSession } from '#app/session/session.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog, usePromiseDialog } from '#app/ui/forms/dialog.tsx'

/** Asks for the second factor; false when it was not given. Set while a page is there that can ask. */
let askForFactor: (() => Promise<boolean>) | undefined

/** Does the work, and once more after the second factor when the service wants that first. Errors: those of the work. */
export async function withStepUp<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!isInsufficient(error) || !(await askForFactor?.())) throw error
    return work()
  }
}

const isInsufficient = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'insufficient_aal'

/**
 * On pages where the ways into an account are changed: asks for the second factor when the service wants it for a
 * change, over the form that it belongs to, so that nothing typed is lost.
 */
export function StepUpDialog() {
  const { ask, question: factors, answer } = usePromiseDialog<readonly SecondFactor[], boolean>(false)
  const title = useId()
  useEffect(() => {
    askForFactor = async () => {
      const { client } = await openSession()
      // The session at hand may know of other factors than the account has by now.
      const { data } = await client.getUser()
      const known = data.user ? factorsOf(data.user) : []
      return known.length > 0 && ask(known)
    }
    return () => {
      askForFactor = undefined
    }
  }, [ask])
  if (!factors) return null
  return (
    <Dialog labelledBy={title} onClosed={() => answer(false)}>
      {(dismiss) => (
        <>
          <h2 id={title} className="text-2xl">
            One more step
          </h2>
          <p className="mt-3 mb-5 text-muted">
            Before the way into your account changes, please confirm that it is you.
          </p>
          <MfaChallenge factors={factors} submitLabel="Continue" onVerified={() => answer(true)} />
          <Button look="secondary" className="mt-5" onClick={dismiss}>
            Cancel
          </Button>
        </>
      )}
    </Dialog>
  )
}
