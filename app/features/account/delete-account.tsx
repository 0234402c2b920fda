import { lazy, Suspense, useId, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { currentMember, type SecondFactor } from '#app/session/current-user.ts'
import { openSession } from '#app/session/session.ts'
import { Button } from '#app/ui/button.tsx'
import { Banner } from '#app/ui/page.tsx'
import { toast } from '#app/ui/toast.tsx'
import { granted } from './kind-words.ts'
import { PasswordField } from './password-field.tsx'
import { useAction } from './use-action.ts'
import '#app/ui/dialog.css'

const AnswerFactor = lazy(async () => ({
  default: (await import('./second-step/answer-factor.tsx')).AnswerFactor,
}))

/** Ends the account after saying what is lost. The proof is the second step, or the password where there is none. */
export function DeleteAccount({ email }: { email: string }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [factors, setFactors] = useState<readonly SecondFactor[]>([])
  const title = useId()
  const deleteAccount = useDeletion()
  const open = async () => {
    setFactors((await openSession()).factors())
    dialog.current?.showModal()
  }
  return (
    <section>
      <h2 className="text-lg">Delete account</h2>
      <Button look="quiet" className="-ms-5" onClick={open}>
        Delete my account…
      </Button>
      <dialog ref={dialog} aria-labelledby={title} className="dialog">
        <h2 id={title} className="text-2xl">
          Delete your account?
        </h2>
        <p className="mt-3 text-muted">
          Your profile and your saved resources are lost for good, and you are logged out on all your devices.
          Nobody can bring them back.
        </p>
        <div className="mt-5 space-y-5">
          {factors.length > 0 ? (
            <Suspense>
              <AnswerFactor factors={factors} submitLabel="Delete account" onGiven={deleteAccount} />
            </Suspense>
          ) : (
            <ByPassword email={email} onProved={deleteAccount} />
          )}
          <Button look="secondary" onClick={() => dialog.current?.close()}>
            Keep it
          </Button>
        </div>
      </dialog>
    </section>
  )
}

/** Signing in again proves the password; the database asks for that (docs/decisions/0010). */
function ByPassword({ email, onProved }: { email: string; onProved: () => Promise<void> }) {
  const action = useAction()
  const submit = action.onSubmit(async (fields) => {
    const password = String(fields.get('password') ?? '')
    if (!password) throw { status: 400, message: 'Please fill in all fields' }
    const { client } = await openSession()
    granted(await client.signInWithPassword({ email, password }))
    await onProved()
  })
  return (
    <form method="post" noValidate onSubmit={submit} className="space-y-5">
      {action.failure && <Banner tone="error">{action.failure}</Banner>}
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <PasswordField
        label="Your password"
        id="delete-password"
        name="password"
        autoComplete="current-password"
      />
      <Button type="submit" disabled={action.isBusy}>
        {action.isBusy ? 'Please wait...' : 'Delete account'}
      </Button>
    </form>
  )
}

/** What follows a fresh proof. Errors: in words for the member. */
function useDeletion(): () => Promise<void> {
  const navigate = useNavigate()
  return async () => {
    const { library, signOut } = await openSession()
    const { error } = await library.rpc('delete_account')
    if (error) throw { status: 400, message: 'Your account could not be deleted. Please try again.' }
    await navigate('/')
    const { dropDraftsOf } = await import('#app/session/client/draft-store.ts')
    await dropDraftsOf(currentMember()?.id ?? '')
    await signOut()
    toast('Your account is deleted.')
  }
}
