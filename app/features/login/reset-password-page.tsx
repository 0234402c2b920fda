import { lazy, Suspense, useEffect, useState } from 'react'
import { href, redirect } from 'react-router'
import * as z from 'zod/mini'
import { ActionForm, formAction, SubmitButton, useActionForm } from '#app/features/forms/action-form.tsx'
import { dataOf, serviceMessage } from '#app/features/forms/error-messages.ts'
import { PasswordField, passwordSchema } from '#app/features/forms/fields.tsx'
import { authCallback } from '#app/session/auth-callback.ts'
import { useCurrentUser, usePendingMfa } from '#app/session/current-user.tsx'
import { openSession } from '#app/session/session.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { Banner, Notice, Page } from '#app/ui/page.tsx'
import { toast } from '#app/ui/toast.tsx'

const MfaPage = lazy(async () => ({ default: (await import('./mfa-challenge.tsx')).MfaPage }))

/** The page that a recovery link opens, which has signed its owner in: asks for the new password. */
export function ResetPasswordPage() {
  const { state } = useCurrentUser()
  const pendingMfa = usePendingMfa()
  const [problem, setProblem] = useState('')
  useEffect(() => setProblem(authCallback()?.error?.text ?? ''), [])
  // A mailbox alone does not open an account that is protected by more.
  if (pendingMfa) {
    return (
      <Suspense>
        <MfaPage factors={pendingMfa} />
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
  const form = useActionForm('set-password')
  return (
    <div className="max-w-md">
      <h1 className="text-title">Choose a new password</h1>
      <ActionForm form={form} className="mt-6 space-y-5">
        <PasswordField
          label="New password"
          autoComplete="new-password"
          hint="At least 8 characters."
          aria-invalid={'password' in form.errors}
        />
        <SubmitButton isBusy={form.isBusy}>Set the password</SubmitButton>
      </ActionForm>
    </div>
  )
}

export const resetPasswordActions = {
  'set-password': formAction(
    z.object({ password: passwordSchema }),
    async ({ password }) => {
      const { client } = await openSession()
      dataOf(await client.updateUser({ password }))
      toast('Your new password is set.')
      throw redirect(href('/'))
    },
    serviceMessage,
  ),
}

/** Links work once, and not for long. */
const LinkNeeded = ({ problem }: { problem: string }) => (
  <Notice title="This link does not work any more">
    {problem && <Banner tone="error">{problem}</Banner>}
    <p>Links in our mails work once, and for an hour. Ask for a new one on the login page.</p>
    <ButtonLink to={href('/login')}>Go to Login</ButtonLink>
  </Notice>
)
