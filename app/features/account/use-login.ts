import { useEffect, useState } from 'react'
import { authCallback } from '#app/session/auth-callback.ts'
import { openSession } from '#app/session/session.ts'
import type { BannerTone } from '#app/ui/page.tsx'
import { kindProblem } from './kind-words.ts'
import { findMissing, type LoginMode, readLogin } from './login-rules.ts'
import { submitLogin } from './submit-login.ts'
import { forgetTyped } from './typed-fields.tsx'

interface Said {
  tone: BannerTone
  text: string
}

/** Sends the form, and says what came of it. */
export function useLogin(mode: LoginMode, setMode: (mode: LoginMode) => void) {
  const [said, setSaid] = useState<Said | null>(null)
  const [isBusy, setBusy] = useState(false)

  useEffect(() => {
    // The auth client is on its way while the fields are filled in. Should that fail, submitting says so.
    openSession().catch(() => undefined)
    const { error: problem, message } = authCallback() ?? {}
    if (problem) setSaid({ tone: 'error', text: kindProblem(problem) })
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
    if (outcome.result === 'done') return forgetTyped('login')
    setBusy(false)
    setSaid({ tone: outcome.result === 'sent' ? 'success' : 'error', text: outcome.message })
    if (outcome.result === 'failed') return
    form.reset()
    setMode('sign-in')
  }
  return { said, setSaid, isBusy, submit }
}
