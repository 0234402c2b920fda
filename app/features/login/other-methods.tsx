import { Building2, KeyRound, Mail } from 'lucide'
import { type ReactNode, useState } from 'react'
import { href } from 'react-router'
import * as z from 'zod/mini'
import { openSession } from '#app/session/session.ts'
import { Button } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Banner } from '#app/ui/page.tsx'
import { createStore, useHydrated, useStore } from '#app/ui/store.ts'
import { ActionForm, formAction, SubmitButton, useActionForm } from './action-form.tsx'
import { dataOf } from './error-messages.ts'
import {
  CodeField,
  codeSchema,
  EmailField,
  emailSchema,
  forgetTyped,
  RememberTyped,
  ticked,
} from './fields.tsx'
import { canUsePasskeys, providerName, type SignInMethods } from './sign-in-methods.ts'

/** A form that stands in place of the password's. */
export type OtherForm = 'code' | 'organisation'

interface OtherMethodsProps {
  methods: SignInMethods
  /** Whether a code by mail is offered. */
  byMail: boolean
  /** Whether "Remember me" is ticked. */
  remember: () => boolean
  onChoose: (form: OtherForm) => void
}

/** The ways in beside the password, as far as this site and this browser have them. */
export function OtherMethods({ methods, byMail, remember, onChoose }: OtherMethodsProps) {
  const isHydrated = useHydrated()
  const form = useActionForm('provider')
  const hasPasskeys = useStore(passkeySupport) && methods.passkeys
  const isNothingThere = !methods.providers.length && !methods.organisations && !hasPasskeys && !byMail
  const submit = (values: Record<string, string>) =>
    form.submit({ ...values, remember: remember() ? 'on' : '' })
  const method = (icon: ReactNode, label: string, onClick: () => void) => (
    <li key={label}>
      <Button
        look="secondary"
        disabled={!isHydrated || form.isBusy}
        onClick={onClick}
        className="min-h-12 w-full"
      >
        {icon}
        {label}
      </Button>
    </li>
  )
  if (isNothingThere) return null
  return (
    <section aria-label="Other ways to sign in" className="mt-8">
      <p className="flex items-center gap-4 text-muted before:h-px before:grow before:bg-line after:h-px after:grow after:bg-line">
        or
      </p>
      {form.failure && (
        <Banner tone="error" className="mt-4">
          {form.failure}
        </Banner>
      )}
      <ul className="mt-4 space-y-3">
        {methods.providers.map((provider) =>
          method(null, `Continue with ${providerName(provider)}`, () => submit({ provider })),
        )}
        {methods.organisations &&
          method(<Icon icon={Building2} {...look} />, 'Use your organisation', () =>
            onChoose('organisation'),
          )}
        {hasPasskeys &&
          method(<Icon icon={KeyRound} {...look} />, 'Sign in with a passkey', () =>
            submit({ intent: 'passkey' }),
          )}
        {byMail && method(<Icon icon={Mail} {...look} />, 'E-mail me a code', () => onChoose('code'))}
      </ul>
    </section>
  )
}

const look = { className: 'size-5 text-muted' } as const

/** Only browsers can tell. Nearly all have them: until it is known, the button's place is kept. */
const passkeySupport = createStore(true, canUsePasskeys)

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

/** What the ways in beside the password do. */
export const otherActions = {
  provider: formAction(z.object({ provider: z.string(), remember: ticked }), async (input) => {
    const { client, remember } = await openSession()
    remember(input.remember)
    const redirectTo = `${location.origin}${href('/login')}${location.search}`
    const provider = input.provider as 'google'
    dataOf(await client.signInWithOAuth({ provider, options: { redirectTo } }))
  }),
  passkey: formAction(z.object({ remember: ticked }), async (input) => {
    const { client, remember, access } = await openSession()
    remember(input.remember)
    dataOf(await client.signInWithPasskey())
    await access()
  }),
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
