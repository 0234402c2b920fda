import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { useCurrentUser } from '#app/session/current-user.tsx'

/** A page that is left sooner was not read. */
const READ_AFTER_MS = 2_000

/**
 * Once a page has been read for a moment, and never before it has loaded: installs the service worker, and has it keep
 * the page when it is a visitor's. What a member reads is kept only if they ask for it.
 */
export function KeepReading() {
  const { pathname } = useLocation()
  const { state } = useCurrentUser()
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page anew
  useEffect(() => {
    if (state === 'unknown' || !import.meta.env.PROD) return
    const left = new AbortController()
    const start = async () => {
      const { keepThisPage } = await import('./keep-this-page.ts')
      if (!left.signal.aborted) await keepThisPage({ isVisitor: state === 'visitor' })
    }
    const begin = () => afterLoad(() => start().catch(() => undefined), left.signal)
    // Without a network there is nothing to keep, but links to follow.
    const timer = setTimeout(begin, navigator.onLine ? READ_AFTER_MS : 0)
    return () => {
      clearTimeout(timer)
      left.abort()
    }
  }, [pathname, state])
  return null
}

function afterLoad(work: () => void, signal: AbortSignal) {
  if (document.readyState === 'complete') work()
  else window.addEventListener('load', work, { once: true, signal })
}
