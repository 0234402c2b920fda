import { lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import type { SignInWays } from '#app/features/login/sign-in-methods.ts'
import { useSettings } from '#app/session/site.ts'
import { Banner, Page } from '#app/ui/page.tsx'
import { ComingSoonDialog } from './coming-soon-dialog.tsx'
import { EarlyAccess } from './early-access.tsx'
import { LoginForm } from './login-form.tsx'
import { headings, type LoginMode, readLogin } from './login-rules.ts'
import type { OtherForm } from './other-ways.tsx'
import { useLogin } from './use-login.ts'

// Most readers sign in with their password; what else there is comes when it is there to be offered.
const OtherWays = lazy(async () => ({ default: (await import('./other-ways.tsx')).OtherWays }))
const otherForms = {
  code: lazy(async () => ({ default: (await import('./sign-in-by-code.tsx')).SignInByCode })),
  organisation: lazy(async () => ({
    default: (await import('./sign-in-by-organisation.tsx')).SignInByOrganisation,
  })),
}
const otherHeadings: Readonly<Record<OtherForm, string>> = {
  code: 'Sign in with a code',
  organisation: 'Sign in with your organisation',
}

/** Sign-in, sign-up and the request for a new password in one form (specification, section 2); other ways in below it. */
export function LoginPage({ ways }: { ways: SignInWays }) {
  const { earlyAccess } = useSettings()
  const [mode, setMode] = useState<LoginMode>('sign-in')
  const [other, setOther] = useState<{ form: OtherForm; remember: boolean } | null>(null)
  const { said, setSaid, isBusy, submit } = useLogin(mode, setMode)
  const dialog = useRef<HTMLDialogElement>(null)
  const form = useRef<HTMLFormElement>(null)
  const remember = () => !form.current || readLogin(new FormData(form.current)).remember

  const change = (next: LoginMode) => {
    if (earlyAccess && next !== 'sign-in') return dialog.current?.showModal()
    setSaid(null)
    setMode(next)
  }
  const choose = (next: OtherForm | null) => {
    setSaid(null)
    setOther(next && { form: next, remember: remember() })
  }
  if (other) return <OtherFormPage {...other} onBack={() => choose(null)} />
  const hasOthers = ways.providers.length > 0 || ways.organisations || ways.passkeys || !earlyAccess
  return (
    <Page className="grid items-start gap-x-20 gap-y-12 lg:grid-cols-[minmax(0,27rem)_minmax(0,24rem)]">
      <div>
        <h1 className="text-title">{headings[mode]}</h1>
        <Banner tone="note" className="mt-6 not-noscript:hidden">
          Signing in needs JavaScript. Reading and listening work without.
        </Banner>
        {said && (
          <Banner key={said.text} tone={said.tone} className="mt-6">
            {said.text}
          </Banner>
        )}
        <LoginForm
          ref={form}
          mode={mode}
          isBusy={isBusy}
          onSubmit={submit}
          onForgot={() => change('forgot')}
        />
        <OtherMode mode={mode} onChange={change} />
        {hasOthers && mode === 'sign-in' && (
          <Suspense>
            <OtherWays ways={ways} byMail={!earlyAccess} remember={remember} onChoose={choose} />
          </Suspense>
        )}
      </div>
      {earlyAccess && <EarlyAccess />}
      <ComingSoonDialog dialog={dialog} />
    </Page>
  )
}

interface OtherFormPageProps {
  form: OtherForm
  remember: boolean
  onBack: () => void
}

function OtherFormPage({ form, remember, onBack }: OtherFormPageProps) {
  const Form = otherForms[form]
  return (
    <Page>
      <div className="max-w-[27rem]">
        <h1 className="text-title">{otherHeadings[form]}</h1>
        <Suspense>
          <Form remember={remember} />
        </Suspense>
        <p className="mt-6">
          <TextButton onClick={onBack}>Back to sign in</TextButton>
        </p>
      </div>
    </Page>
  )
}

function OtherMode({ mode, onChange }: { mode: LoginMode; onChange: (mode: LoginMode) => void }) {
  if (mode === 'sign-in') {
    return (
      <p className="mt-6 text-muted">
        No account yet? <TextButton onClick={() => onChange('create')}>Create one</TextButton>
      </p>
    )
  }
  return (
    <p className="mt-6 text-muted">
      {mode === 'create' && 'Already have an account? '}
      <TextButton onClick={() => onChange('sign-in')}>
        {mode === 'create' ? 'Sign in' : 'Back to sign in'}
      </TextButton>
    </p>
  )
}

const TextButton = ({ onClick, children }: { onClick: () => void; children: ReactNode }) => (
  <button
    type="button"
    onClick={onClick}
    className="min-h-11 cursor-pointer font-semibold text-accent underline underline-offset-4"
  >
    {children}
  </button>
)
