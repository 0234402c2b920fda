import type { ShouldRevalidateFunctionArgs } from 'react-router'
import { hasStoredSession } from './session-keys.ts'

/**
 * What a member's page asks for, or what the member has kept of it on this device: at once where there is no network,
 * and where the answer does not come. Errors: those of `ask`, when nothing is kept.
 */
export async function orKept<Answer>(name: string, ask: () => Promise<Answer>): Promise<Answer> {
  if (!hasStoredSession()) return ask()
  const kept = async () => (await import('./member/kept.ts')).readKept<Answer>(name)
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
export const stayOffline = ({
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) =>
  currentUrl.href === nextUrl.href && !navigator.onLine ? false : defaultShouldRevalidate
