import { type ReactNode, type RefObject, useId, useRef } from 'react'
import { href, Link } from 'react-router'
import * as z from 'zod/mini'
import {
  ActionForm,
  type ActionFormState,
  formAction,
  SubmitButton,
} from '#app/features/forms/action-form.tsx'
import { dataOf, serviceMessage } from '#app/features/forms/error-messages.ts'
import {
  EmailField,
  emailSchema,
  forgetTyped,
  PasswordField,
  passwordSchema,
  RememberTyped,
  ticked,
} from '#app/features/forms/fields.tsx'
import { openSession } from '#app/session/session.ts'
import { useSettings } from '#app/session/site.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/forms/dialog.tsx'
import { useHydrated } from '#app/ui/store.ts'

/** Signing in, making an account, or asking for a new password. */
export type LoginMode = 'sign-in' | 'create' | 'forgot'

const NOT_ACCEPTED = 'Please accept both the Privacy Policy and Terms of Service to create an account'
const accepted = ticked.check(z.refine(Boolean, NOT_ACCEPTED))

/** What each mode asks for, in the words of the specification (section 5). */
export const loginSchemas = {
  'sign-in': z.object({ email: emailSchema, password: passwordSchema, remember: ticked }),
  create: z.object({ email: emailSchema, password: passwordSchema, privacy: accepted, terms: accepted }),
  forgot: z.object({ email: emailSchema }),
} as const

const VERIFY = 'Please check your email to verify your account before logging in.'
const RESET =
  'If there is an account with this address, a link to choose a new password is on its way to your mailbox.'

/** What each mode does. Where a mail is on its way, the result is the message that says so. */
export const loginActions = {
  'sign-in': formAction(
    loginSchemas['sign-in'],
    async ({ email, password, remember }) => {
      const session = await openSession()
      session.remember(remember)
      dataOf(await session.client.signInWithPassword({ email, password }))
      forgetTyped('login')
      // Who is signed in leaves the page; until then the button stays as it is.
      await session.access()
    },
    serviceMessage,
  ),
  create: formAction(
    loginSchemas.create,
    async ({ email, password }) => {
      const session = await openSession()
      session.remember(true)
      const options = { emailRedirectTo: `${location.origin}${href('/login')}` }
      const account = dataOf(await session.client.signUp({ email, password, options }))
      forgetTyped('login')
      if (!account.session) return VERIFY
      await session.access()
    },
    serviceMessage,
  ),
  forgot: formAction(
    loginSchemas.forgot,
    async ({ email }) => {
      const { client } = await openSession()
      const redirectTo = `${location.origin}${href('/reset-password')}`
      dataOf(await client.resetPasswordForEmail(email, { redirectTo }))
      return RESET
    },
    serviceMessage,
  ),
}

const submitLabels: Readonly<Record<LoginMode, string>> = {
  'sign-in': 'Sign in',
  create: 'Create account',
  forgot: 'Send the link',
}

interface LoginFormProps {
  ref: RefObject<HTMLFormElement | null>
  form: ActionFormState
  mode: LoginMode
  onSubmit: () => void
  onForgot: () => void
}

/** The fields of a mode. They are the browser's own, so that password managers and pasting work. */
export function LoginForm({ ref, form, mode, onSubmit, onForgot }: LoginFormProps) {
  const isHydrated = useHydrated()
  const { errors } = form
  return (
    <ActionForm ref={ref} form={form} onSubmit={onSubmit} className="mt-6 space-y-5">
      <RememberTyped name="login" />
      <EmailField autoComplete={mode === 'create' ? 'email' : 'username'} aria-invalid={'email' in errors} />
      {mode !== 'forgot' && (
        <PasswordField
          label="Password"
          autoComplete={mode === 'create' ? 'new-password' : 'current-password'}
          hint={mode === 'create' ? 'At least 8 characters.' : undefined}
          aria-invalid={'password' in errors}
          required
        />
      )}
      {mode === 'create' && <Consent errors={errors} />}
      {mode === 'sign-in' && (
        <div className="flex flex-wrap items-center justify-between gap-x-4">
          <Checkbox name="remember" defaultChecked>
            Remember me
          </Checkbox>
          <button
            type="button"
            onClick={onForgot}
            className="min-h-11 cursor-pointer text-accent underline-offset-4 hover:underline"
          >
            Forgot your password?
          </button>
        </div>
      )}
      <SubmitButton isBusy={form.isBusy} isDisabled={!isHydrated}>
        {submitLabels[mode]}
      </SubmitButton>
    </ActionForm>
  )
}

const linkClass = 'text-accent underline underline-offset-4'

function Consent({ errors }: Pick<ActionFormState, 'errors'>) {
  return (
    <div>
      <Checkbox name="privacy" isInvalid={'privacy' in errors}>
        I accept the{' '}
        <Link to={href('/privacy-policy')} target="_blank" className={linkClass}>
          Privacy Policy
        </Link>
      </Checkbox>
      <Checkbox name="terms" isInvalid={'terms' in errors}>
        I accept the{' '}
        <Link to={href('/terms-of-service')} target="_blank" className={linkClass}>
          Terms of Service
        </Link>
      </Checkbox>
    </div>
  )
}

interface CheckboxProps {
  name: string
  defaultChecked?: boolean
  isInvalid?: boolean
  children: ReactNode
}

const Checkbox = ({ name, defaultChecked, isInvalid, children }: CheckboxProps) => (
  <label className="flex min-h-11 cursor-pointer items-center gap-3">
    <input
      type="checkbox"
      name={name}
      defaultChecked={defaultChecked}
      aria-invalid={isInvalid}
      className="size-5 shrink-0"
    />
    <span>{children}</span>
  </label>
)

const subject = encodeURIComponent('Early access to Walking Together')

/** What opens until accounts are open to everyone (specification, section 2). Escape closes it as well. */
export function ComingSoonDialog({ onClosed }: { onClosed: () => void }) {
  const title = useId()
  const { contactEmail } = useSettings()
  const button = useRef<HTMLButtonElement>(null)
  return (
    <Dialog labelledBy={title} focusFirst={button} onClosed={onClosed}>
      {(close) => (
        <>
          <h2 id={title} className="text-2xl">
            Coming Soon!
          </h2>
          <p className="mt-3 text-muted">
            This is not open to everyone yet. For early access, or help with your account, write to{' '}
            <a href={`mailto:${contactEmail}?subject=${subject}`} className={linkClass}>
              {contactEmail}
            </a>
            .
          </p>
          <Button ref={button} className="mt-6" onClick={close}>
            Got it
          </Button>
        </>
      )}
    </Dialog>
  )
}

/** Accounts are not open to everyone: how to be among the first. */
export function EarlyAccess() {
  const { contactEmail } = useSettings()
  return (
    <aside aria-labelledby="early-access" className="rounded-2xl bg-tint p-6 sm:p-8 lg:mt-3">
      <h2 id="early-access" className="text-2xl">
        Access is coming soon
      </h2>
      <p className="mt-3">Accounts are not open to everyone yet. To be among the first, write us a line:</p>
      <p className="mt-3">
        <a
          href={`mailto:${contactEmail}?subject=${subject}`}
          className="inline-flex min-h-11 items-center font-semibold text-accent underline underline-offset-4"
        >
          {contactEmail}
        </a>
      </p>
      <p className="mt-3 text-muted">Reading and listening stay free, and need no account.</p>
    </aside>
  )
}
