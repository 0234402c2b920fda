import { useState } from 'react'
import { openSession } from '#app/session/session.ts'
import { Button } from '#app/ui/button.tsx'
import { Banner } from '#app/ui/page.tsx'
import { CodeField, mustReadCode } from './code-field.tsx'
import { EmailField } from './email-field.tsx'
import { granted } from './kind-words.ts'
import { findMissing, readLogin } from './login-rules.ts'
import { SubmitButton } from './submit-button.tsx'
import { forgetTyped, TypedFields } from './typed-fields.tsx'
import { useAction } from './use-action.ts'
import { useFocus } from './use-focus.ts'

/** A code by mail in place of the password: first the address, then what came there. */
export function SignInByCode({ remember }: { remember: boolean }) {
  const [sentTo, setSentTo] = useState('')
  return sentTo ? (
    <EnterCode email={sentTo} remember={remember} onBack={() => setSentTo('')} />
  ) : (
    <AskForCode onSent={setSentTo} />
  )
}

function AskForCode({ onSent }: { onSent: (email: string) => void }) {
  const action = useAction()
  const submit = action.onSubmit(async (fields) => {
    const login = readLogin(fields)
    const missing = findMissing('forgot', login)
    if (missing) throw { status: 400, message: missing }
    await mailCode(login.email)
    onSent(login.email)
  })
  return (
    <form method="post" noValidate onSubmit={submit} className="mt-6 space-y-5">
      {action.failure && <Banner tone="error">{action.failure}</Banner>}
      <TypedFields name="login" />
      <EmailField ref={useFocus()} />
      <SubmitButton isBusy={action.isBusy}>Send the code</SubmitButton>
    </form>
  )
}

interface EnterCodeProps {
  email: string
  remember: boolean
  onBack: () => void
}

function EnterCode({ email, remember, onBack }: EnterCodeProps) {
  const action = useAction()
  const submit = action.onSubmit(async (fields) => {
    const session = await openSession()
    session.remember(remember)
    const { client } = session
    const answer = await client.verifyOtp({ email, token: mustReadCode(fields), type: 'email' })
    if (answer.error?.code === 'otp_expired') throw { code: 'mfa_verification_failed' }
    granted(answer)
    forgetTyped('login')
  })
  return (
    <form method="post" noValidate onSubmit={submit} className="mt-6 space-y-5">
      {action.failure && <Banner tone="error">{action.failure}</Banner>}
      <CodeField
        ref={useFocus()}
        label="Code"
        hint={`If there is an account for ${email}, a code is on its way to that mailbox. It is good for an hour.`}
      />
      <SubmitButton isBusy={action.isBusy}>Sign in</SubmitButton>
      <Button look="quiet" className="-ms-5" onClick={onBack}>
        Use another address
      </Button>
    </form>
  )
}

/** Whether there is such an account stays unsaid: the answer is the same. */
async function mailCode(email: string): Promise<void> {
  const { client } = await openSession()
  const options = { shouldCreateUser: false, emailRedirectTo: `${location.origin}/login` }
  const { error } = await client.signInWithOtp({ email, options })
  if (error && error.code !== 'otp_disabled') throw error
}
