import type { ShouldRevalidateFunctionArgs } from 'react-router'
import { hasStoredSession } from './storage-keys.ts'

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
