import type { ShouldRevalidateFunctionArgs } from 'react-router'
import { authCallback } from './auth-callback.ts'
import type { AuthSession } from './client/auth-session.ts'
import type { MemberAccess } from './client/library.ts'
import { currentMember, hasStoredSession, sessionKeys, setCurrentUser } from './current-user.tsx'
import type { SiteSettings } from './site.ts'

let announceSettings: (settings: SiteSettings) => void
const settingsKnown = new Promise<SiteSettings>((resolve) => {
  announceSettings = resolve
})
let opening: Promise<AuthSession> | undefined

/**
 * The session with its auth client, which is downloaded by the first call. Visitors never get here, except on /login.
 * Errors: the download failed; the next call tries again.
 */
export function openSession(): Promise<AuthSession> {
  opening ??= settingsKnown.then(download).catch((error) => {
    opening = undefined
    throw error
  })
  return opening
}

async function download(settings: SiteSettings): Promise<AuthSession> {
  const { createAuthSession } = await import('./client/auth-session.ts')
  return createAuthSession(settings, authCallback()?.tokens)
}

/** Finds out who reads the page, now and whenever another tab signs in. */
export function startSession(settings: SiteSettings): () => void {
  announceSettings(settings)
  if (mayBeMember()) {
    open()
    if (!navigator.onLine) showKeptMember().catch(() => undefined)
  } else setCurrentUser({ state: 'visitor' })
  const follow = ({ key, newValue }: StorageEvent) => {
    if (key === sessionKeys.session && newValue) open()
  }
  window.addEventListener('storage', follow)
  return () => window.removeEventListener('storage', follow)
}

const mayBeMember = () => hasStoredSession() || Boolean(authCallback()?.tokens)

/** Being offline is not a sign-out: what could not be downloaded is tried again as soon as there is a network. */
function open(): void {
  openSession().catch(() => window.addEventListener('online', open, { once: true }))
}

/** Without a network a session may not be renewed; whoever kept something here is known all the same. */
async function showKeptMember(): Promise<void> {
  const { cachedMember } = await import('./client/offline-cache.ts')
  const member = await cachedMember()
  if (member && !currentMember()) setCurrentUser({ state: 'member', member })
}

/** For client loaders: the library as the member sees it; null for visitors, for whom nothing is downloaded. */
export async function memberAccess(): Promise<MemberAccess | null> {
  if (!opening && !mayBeMember()) return null
  const session = await openSession().catch(() => null)
  return (await session?.access()) ?? null
}

/**
 * What a member's page asks for, or what the member has kept of it on this device: at once where there is no network,
 * and where the answer does not come. Errors: those of `ask`, when nothing is kept.
 */
export async function withOfflineFallback<Answer>(name: string, ask: () => Promise<Answer>): Promise<Answer> {
  if (!hasStoredSession()) return ask()
  const kept = async () => (await import('./client/offline-cache.ts')).readCached<Answer>(name)
  const early = navigator.onLine ? null : await kept()
  if (early) return early
  try {
    return await ask()
  } catch (error) {
    const late = await kept()
    if (late) return late
    throw error
  }
}

/** Without a network a page that is shown stays as it is; asking again would only take it away. */
export const skipRevalidationOffline = ({
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) =>
  currentUrl.href === nextUrl.href && !navigator.onLine ? false : defaultShouldRevalidate
