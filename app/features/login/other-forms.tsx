import { useState } from 'react'
import { href } from 'react-router'
import * as z from 'zod/mini'
import { ActionForm, formAction, SubmitButton, useActionForm } from '#app/features/forms/action-form.tsx'
import { dataOf } from '#app/features/forms/error-messages.ts'
import {
  CodeField,
  codeSchema,
  EmailField,
  emailSchema,
  forgetTyped,
  RememberTyped,
  ticked,
} from '#app/features/forms/fields.tsx'
import { openSession } from '#app/session/session.ts'
import { Button } from '#app/ui/button.tsx'

/** A code by mail in place of the password: first the address, then what came there. */
export function CodeForm({ remember }: { remember: boolean }) {
  const [sentTo, setSentTo] = useState('')
  return sentTo ? (
    <EnterCode email={sentTo} remember={remember} onBack={() => setSentTo('')} />
  ) : (
    <AskForCode onSent={setSentTo} />
  )
}

function AskForCode({ onSent }: { onSent: (email: string) => void }) {
  const form = useActionForm('send-code', onSent)
  return (
    <ActionForm form={form} className="mt-6 space-y-5">
      <RememberTyped name="login" />
      <EmailField autoFocus aria-invalid={'email' in form.errors} />
      <SubmitButton isBusy={form.isBusy}>Send the code</SubmitButton>
    </ActionForm>
  )
}

interface EnterCodeProps {
  email: string
  remember: boolean
  onBack: () => void
}

function EnterCode({ email, remember, onBack }: EnterCodeProps) {
  const form = useActionForm('enter-code')
  return (
    <ActionForm form={form} className="mt-6 space-y-5">
      <input type="hidden" name="email" value={email} />
      <input type="hidden" name="remember" value={remember ? 'on' : ''} />
      <CodeField
        autoFocus
        label="Code"
        hint={`If there is an account for ${email}, a code is on its way to that mailbox. It is good for an hour.`}
        aria-invalid={Boolean(form.failure)}
      />
      <SubmitButton isBusy={form.isBusy}>Sign in</SubmitButton>
      <Button look="quiet" className="-ms-5" onClick={onBack}>
        Use another address
      </Button>
    </ActionForm>
  )
}

/** Single sign-on: the part of the address after the @ says whose identity provider is asked. */
export function OrganisationForm({ remember }: { remember: boolean }) {
  const form = useActionForm('organisation')
  return (
    <ActionForm form={form} className="mt-6 space-y-5">
      <input type="hidden" name="remember" value={remember ? 'on' : ''} />
      <RememberTyped name="login" />
      <EmailField
        autoFocus
        label="Work or school e-mail"
        hint="You sign in on your organisation’s own page, and come back here."
        aria-invalid={'email' in form.errors}
      />
      <SubmitButton isBusy={form.isBusy}>Continue</SubmitButton>
    </ActionForm>
  )
}

const domainOf = (email: string) => email.slice(email.lastIndexOf('@') + 1).toLowerCase()

const organisationEmail = emailSchema.check(
  z.refine((email) => domainOf(email).includes('.'), 'Please enter your whole e-mail address.'),
)

/** What these forms do. */
export const otherFormActions = {
  /** Whether there is such an account stays unsaid: the answer is the same. */
  'send-code': formAction(z.object({ email: emailSchema }), async ({ email }) => {
    const { client } = await openSession()
    const options = { shouldCreateUser: false, emailRedirectTo: `${location.origin}${href('/login')}` }
    const { error } = await client.signInWithOtp({ email, options })
    if (error && error.code !== 'otp_disabled') throw error
    return email
  }),
  'enter-code': formAction(
    z.object({ email: z.string(), code: codeSchema, remember: ticked }),
    async (input) => {
      const { client, remember, access } = await openSession()
      remember(input.remember)
      const answer = await client.verifyOtp({ email: input.email, token: input.code, type: 'email' })
      if (answer.error?.code === 'otp_expired') throw { code: 'mfa_verification_failed' }
      dataOf(answer)
      forgetTyped('login')
      await access()
    },
  ),
  organisation: formAction(z.object({ email: organisationEmail, remember: ticked }), async (input) => {
    const { client, remember } = await openSession()
    remember(input.remember)
    const redirectTo = `${location.origin}${href('/login')}${location.search}`
    dataOf(await client.signInWithSSO({ domain: domainOf(input.email), options: { redirectTo } }))
  }),
}
