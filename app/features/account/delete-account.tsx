import { type SubmitEvent, useId, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { openSession } from '#app/session/session.ts'
import { announce } from '#app/ui/announcement.tsx'
import { Banner } from '#app/ui/banner.tsx'
import { Button } from '#app/ui/button.tsx'
import { failureMessage } from './login-rules.ts'
import { PasswordField } from './password-field.tsx'
import '#app/ui/dialog.css'

/** Ends the account after saying what is lost, with the password as proof. */
export function DeleteAccount({ email }: { email: string }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const title = useId()
  const { failure, isBusy, submit } = useDeletion(email)
  return (
    <section>
      <h2 className="text-lg">Delete account</h2>
      <Button look="quiet" className="-ms-5" onClick={() => dialog.current?.showModal()}>
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
        <form method="post" noValidate onSubmit={submit} className="mt-5 space-y-5">
          {failure && <Banner tone="error">{failure}</Banner>}
          <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
          <PasswordField
            label="Your password"
            id="delete-password"
            name="password"
            autoComplete="current-password"
          />
          <div className="flex flex-wrap gap-3">
            <Button type="submit" disabled={isBusy}>
              {isBusy ? 'Please wait...' : 'Delete account'}
            </Button>
            <Button look="secondary" onClick={() => dialog.current?.close()}>
              Keep it
            </Button>
          </div>
        </form>
      </dialog>
    </section>
  )
}

function useDeletion(email: string) {
  const [failure, setFailure] = useState('')
  const [isBusy, setBusy] = useState(false)
  const navigate = useNavigate()

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const password = String(new FormData(event.currentTarget).get('password') ?? '')
    if (!password) return setFailure('Please fill in all fields')
    setBusy(true)
    setFailure(await deleteAccount(email, password))
    setBusy(false)
  }

  /** Signing in again proves the password; the database asks for that (docs/decisions/0010). Returns what went wrong. */
  const deleteAccount = async (address: string, password: string): Promise<string> => {
    const { client, library, signOut } = await openSession()
    const { error: wrong } = await client.signInWithPassword({ email: address, password })
    if (wrong) return failureMessage(wrong)
    const { error } = await library.rpc('delete_account')
    if (error) return 'Your account could not be deleted. Please try again.'
    await navigate('/')
    await signOut()
    announce('Your account is deleted.')
    return ''
  }
  return { failure, isBusy, submit }
}
