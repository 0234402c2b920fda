import type { SecondFactor } from '#app/session/current-user.ts'
import { openSession } from '#app/session/session.ts'
import { Button } from '#app/ui/button.tsx'
import { Page } from '#app/ui/page.tsx'
import { AnswerFactor } from './answer-factor.tsx'

/** After the password: asks for what else the account has to show. Nobody is signed in before. */
export function SecondStep({ factors }: { factors: readonly SecondFactor[] }) {
  const leave = async () => (await openSession()).signOut()
  return (
    <Page>
      <div className="max-w-md">
        <h1 className="text-title">One more step</h1>
        <p className="mt-3 mb-6 text-lg text-muted">Your account is protected by more than a password.</p>
        <AnswerFactor factors={factors} submitLabel="Continue" />
        <Button look="quiet" className="-ms-5 mt-6" onClick={leave}>
          Sign in with another account
        </Button>
      </div>
    </Page>
  )
}
