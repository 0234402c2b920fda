import type { ReactNode, Ref, SubmitEvent } from 'react'
import { Link } from 'react-router'
import { Button } from '#app/ui/button.tsx'
import { useHydrated } from '#app/ui/store.ts'
import { EmailField } from './email-field.tsx'
import { type LoginMode, submitLabels } from './login-rules.ts'
import { PasswordField } from './password-field.tsx'
import { TypedFields } from './typed-fields.tsx'

interface LoginFormProps {
  ref: Ref<HTMLFormElement>
  mode: LoginMode
  isBusy: boolean
  onSubmit: (form: HTMLFormElement) => void
  onForgot: () => void
}

/** The fields of a mode. They are the browser's own, so that password managers and pasting work. */
export function LoginForm({ ref, mode, isBusy, onSubmit, onForgot }: LoginFormProps) {
  const isAwake = useHydrated()
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isBusy) onSubmit(event.currentTarget)
  }
  return (
    // Our own words take the place of the browser's bubbles. POST, so that nothing typed can end up in an address.
    <form ref={ref} method="post" noValidate onSubmit={submit} className="mt-6 space-y-5">
      <TypedFields name="login" />
      <EmailField autoComplete={mode === 'create' ? 'email' : 'username'} />
      {mode !== 'forgot' && (
        <PasswordField
          label="Password"
          name="password"
          autoComplete={mode === 'create' ? 'new-password' : 'current-password'}
          hint={mode === 'create' ? 'At least 8 characters.' : undefined}
          required
        />
      )}
      {mode === 'create' && <Consent />}
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
      <Button type="submit" disabled={isBusy || !isAwake} className="min-h-12 w-full">
        {isBusy ? 'Please wait...' : submitLabels[mode]}
      </Button>
    </form>
  )
}

const linkClass = 'text-accent underline underline-offset-4'

function Consent() {
  return (
    <div>
      <Checkbox name="privacy">
        I accept the{' '}
        <Link to="/privacy-policy" target="_blank" className={linkClass}>
          Privacy Policy
        </Link>
      </Checkbox>
      <Checkbox name="terms">
        I accept the{' '}
        <Link to="/terms-of-service" target="_blank" className={linkClass}>
          Terms of Service
        </Link>
      </Checkbox>
    </div>
  )
}

function Checkbox({
  name,
  defaultChecked,
  children,
}: {
  name: string
  defaultChecked?: boolean
  children: ReactNode
}) {
  return (
    <label className="flex min-h-11 cursor-pointer items-center gap-3">
      <input type="checkbox" name={name} defaultChecked={defaultChecked} className="size-5 shrink-0" />
      <span>{children}</span>
    </label>
  )
}
