import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { useActionForm } from '#app/features/forms/action-form.tsx'
import { callbackMessage } from '#app/features/forms/error-messages.ts'
import { authCallback } from '#app/session/auth-callback.ts'
import { openSession } from '#app/session/session.ts'
import { useSettings } from '#app/session/site.ts'
import { OptionalPart } from '#app/ui/optional-part.tsx'
import { Banner, Page } from '#app/ui/page.tsx'
import { ComingSoonDialog, EarlyAccess, LoginForm, type LoginMode } from './login-form.tsx'
import type { OtherForm } from './other-methods.tsx'
import type { SignInMethods } from './sign-in-methods.ts'

// Most people sign in with their password; what else there is comes when it is there to be offered.
const OtherMethods = lazy(async () => ({ default: (await import('./other-methods.tsx')).OtherMethods }))
const otherForms = {
  code: lazy(async () => ({ default: (await import('./other-forms.tsx')).CodeForm })),
  organisation: lazy(async () => ({ default: (await import('./other-forms.tsx')).OrganisationForm })),
}
const otherHeadings: Readonly<Record<OtherForm, string>> = {
  code: 'Sign in with a code',
  organisation: 'Sign in with your organisation',
}
const headings: Readonly<Record<LoginMode, string>> = {
  'sign-in': 'Sign in to your account',
  create: 'Create your account',
  forgot: 'Reset your password',
}

interface Notice {
  tone: 'error' | 'success'
  text: string
}

/** Sign-in, sign-up and the request for a new password in one form (specification, section 2); other ways in below it. */
export function LoginPage({ methods }: { methods: SignInMethods }) {
  const { earlyAccess } = useSettings()
  const [mode, setMode] = useState<LoginMode>('sign-in')
  const [other, setOther] = useState<{ form: OtherForm; remember: boolean } | null>(null)
  const [notice, setNotice] = useCallbackNotice()
  const [isComingSoon, setComingSoon] = useState(false)
  const element = useRef<HTMLFormElement>(null)
  const form = useActionForm<string | undefined>(mode, (sent) => {
    if (!sent) return
    element.current?.reset()
    setMode('sign-in')
    setNotice({ tone: 'success', text: sent })
  })
  const remember = () => !element.current || new FormData(element.current).has('remember')

  const clear = () => {
    setNotice(null)
    form.dismiss()
  }
  const change = (next: LoginMode) => {
    if (earlyAccess && next !== 'sign-in') return setComingSoon(true)
    clear()
    setMode(next)
  }
  const choose = (next: OtherForm | null) => {
    clear()
    setOther(next && { form: next, remember: remember() })
  }
  if (other) return <OtherFormPage {...other} onBack={() => choose(null)} />
  const hasOthers = methods.providers.length > 0 || methods.organisations || methods.passkeys || !earlyAccess
  return (
    <Page className="grid items-start gap-x-20 gap-y-12 lg:grid-cols-[minmax(0,27rem)_minmax(0,24rem)]">
      <div>
        <h1 className="text-title">{headings[mode]}</h1>
        <Banner tone="note" className="mt-6 not-noscript:hidden">
          Signing in needs JavaScript. Reading and listening work without.
        </Banner>
        {notice && (
          <Banner key={notice.text} tone={notice.tone} className="mt-6">
            {notice.text}
          </Banner>
        )}
        <LoginForm
          ref={element}
          form={form}
          mode={mode}
          onSubmit={() => setNotice(null)}
          onForgot={() => change('forgot')}
        />
        <OtherMode mode={mode} onChange={change} />
        {hasOthers && mode === 'sign-in' && (
          <OptionalPart>
            <Suspense>
              <OtherMethods methods={methods} byMail={!earlyAccess} remember={remember} onChoose={choose} />
            </Suspense>
          </OptionalPart>
        )}
      </div>
      {earlyAccess && <EarlyAccess />}
      {isComingSoon && <ComingSoonDialog onClosed={() => setComingSoon(false)} />}
    </Page>
  )
}

/** What a mailed link, or the way back from a provider, had to say; then whatever else is to be said. */
function useCallbackNotice() {
  const [notice, setNotice] = useState<Notice | null>(null)
  useEffect(() => {
    // The auth client is on its way while the fields are filled in. Should that fail, submitting says so.
    openSession().catch(() => undefined)
    const { error, message } = authCallback() ?? {}
    if (error) setNotice({ tone: 'error', text: callbackMessage(error) })
    else if (message) setNotice({ tone: 'success', text: message })
  }, [])
  return [notice, setNotice] as const
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
