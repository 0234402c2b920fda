import { lazy, type SubmitEvent, Suspense, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { authCallback } from '#app/session/auth-callback.ts'
import { useCurrentUser, usePendingMfa } from '#app/session/current-user.ts'
import { openSession } from '#app/session/session.ts'
import { Button, ButtonLink } from '#app/ui/button.tsx'
import { Banner, Notice, Page } from '#app/ui/page.tsx'
import { toast } from '#app/ui/toast.tsx'
import { failureMessage } from './login-rules.ts'
import { PasswordField } from './password-field.tsx'

const SecondStep = lazy(async () => ({
  default: (await import('./second-step/second-step.tsx')).SecondStep,
}))

/** The page that a recovery link opens, which has signed its reader in: asks for the new password. */
export function ResetPasswordPage() {
  const { state } = useCurrentUser()
  const owed = usePendingMfa()
  const [problem, setProblem] = useState('')
  useEffect(() => setProblem(authCallback()?.error?.text ?? ''), [])
  // A mailbox alone does not open an account that is protected by more.
  if (owed) {
    return (
      <Suspense>
        <SecondStep factors={owed} />
      </Suspense>
    )
  }
  return (
    <Page>
      {state === 'member' ? <NewPassword /> : state === 'visitor' && <LinkNeeded problem={problem} />}
      {state === 'unknown' && <h1 className="text-title">Choose a new password</h1>}
    </Page>
  )
}

function NewPassword() {
  const [failure, setFailure] = useState('')
  const [isBusy, setBusy] = useState(false)
  const navigate = useNavigate()

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const password = String(new FormData(event.currentTarget).get('password') ?? '')
    if (!password) return setFailure('Please fill in all fields')
    setBusy(true)
    setFailure('')
    const { client } = await openSession()
    const { error } = await client.updateUser({ password })
    setBusy(false)
    if (error) return setFailure(failureMessage(error))
    await navigate('/')
    toast('Your new password is set.')
  }
  return (
    <div className="max-w-md">
      <h1 className="text-title">Choose a new password</h1>
      {failure && (
        <Banner tone="error" className="mt-6">
          {failure}
        </Banner>
      )}
      <form method="post" noValidate onSubmit={submit} className="mt-6 space-y-5">
        <PasswordField
          label="New password"
          name="password"
          autoComplete="new-password"
          hint="At least 8 characters."
        />
        <Button type="submit" disabled={isBusy} className="min-h-12 w-full">
          {isBusy ? 'Please wait...' : 'Set the password'}
        </Button>
      </form>
    </div>
  )
}

/** Links work once, and not for long. */
const LinkNeeded = ({ problem }: { problem: string }) => (
  <Notice title="This link does not work any more">
    {problem && <Banner tone="error">{problem}</Banner>}
    <p>Links in our mails work once, and for an hour. Ask for a new one on the login page.</p>
    <ButtonLink to="/login">Go to Login</ButtonLink>
  </Notice>
)
