import { type ReactNode, useEffect, useRef, useState } from 'react'
import { arrivedWith } from '#app/session/arrival.ts'
import { openSession } from '#app/session/session.ts'
import { useSettings } from '#app/session/use-settings.ts'
import { Banner, type BannerTone } from '#app/ui/banner.tsx'
import { Page } from '#app/ui/page.tsx'
import { ComingSoonDialog, earlyAccessSubject } from './coming-soon-dialog.tsx'
import { LoginForm } from './login-form.tsx'
import { findMissing, headings, type LoginMode, readLogin } from './login-rules.ts'
import { submitLogin } from './submit-login.ts'

interface Said {
  tone: BannerTone
  text: string
}

/** Sign-in, sign-up and the request for a new password in one form (specification, section 2). */
export function LoginPage() {
  const { earlyAccess } = useSettings()
  const [mode, setMode] = useState<LoginMode>('sign-in')
  const { said, setSaid, isBusy, submit } = useLogin(mode, setMode)
  const dialog = useRef<HTMLDialogElement>(null)

  const change = (next: LoginMode) => {
    if (earlyAccess && next !== 'sign-in') return dialog.current?.showModal()
    setSaid(null)
    setMode(next)
  }
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
        <LoginForm mode={mode} isBusy={isBusy} onSubmit={submit} onForgot={() => change('forgot')} />
        <p className="mt-6 text-muted">
          {mode === 'sign-in' ? (
            <>
              No account yet? <TextButton onClick={() => change('create')}>Create one</TextButton>
            </>
          ) : (
            <>
              {mode === 'create' && 'Already have an account? '}
              <TextButton onClick={() => change('sign-in')}>
                {mode === 'create' ? 'Sign in' : 'Back to sign in'}
              </TextButton>
            </>
          )}
        </p>
      </div>
      {earlyAccess && <EarlyAccess />}
      <ComingSoonDialog dialog={dialog} />
    </Page>
  )
}

/** Sends the form, and says what came of it. */
function useLogin(mode: LoginMode, setMode: (mode: LoginMode) => void) {
  const [said, setSaid] = useState<Said | null>(null)
  const [isBusy, setBusy] = useState(false)

  useEffect(() => {
    // The auth client is on its way while the fields are filled in. Should that fail, submitting says so.
    openSession().catch(() => undefined)
    const { problem, message } = arrivedWith() ?? {}
    if (problem) setSaid({ tone: 'error', text: problem })
    else if (message) setSaid({ tone: 'success', text: message })
  }, [])

  const submit = async (form: HTMLFormElement) => {
    const fields = readLogin(new FormData(form))
    const missing = findMissing(mode, fields)
    setSaid(missing ? { tone: 'error', text: missing } : null)
    if (missing) return
    setBusy(true)
    const outcome = await submitLogin(mode, fields)
    // Who is signed in leaves the page; until then the button stays as it is.
    if (outcome.result === 'done') return
    setBusy(false)
    setSaid({ tone: outcome.result === 'sent' ? 'success' : 'error', text: outcome.message })
    if (outcome.result === 'failed') return
    form.reset()
    setMode('sign-in')
  }
  return { said, setSaid, isBusy, submit }
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

/** Accounts are not open to everyone: how to be among the first. */
function EarlyAccess() {
  const { contactEmail } = useSettings()
  return (
    <aside aria-labelledby="early-access" className="rounded-2xl bg-tint p-6 sm:p-8 lg:mt-3">
      <h2 id="early-access" className="text-2xl">
        Access is coming soon
      </h2>
      <p className="mt-3">Accounts are not open to everyone yet. To be among the first, write us a line:</p>
      <p className="mt-3">
        <a
          href={`mailto:${contactEmail}?subject=${earlyAccessSubject}`}
          className="inline-flex min-h-11 items-center font-semibold text-accent underline underline-offset-4"
        >
          {contactEmail}
        </a>
      </p>
      <p className="mt-3 text-muted">Reading and listening stay free, and need no account.</p>
    </aside>
  )
}
