import { useEffect } from 'react'
import { useCurrentUser } from '#app/session/current-user.tsx'
import { debounce } from '#app/ui/debounce.ts'

/** As long as the router waits before it fetches the code of a page ahead. */
const REST_MS = 100

/**
 * Fetches a page's data ahead when a visitor's pointer or focus rests on a link to it. The router does that for pages
 * without a client loader only (docs/decisions/0009); members' data is asked for when it is needed.
 */
export function PrefetchData() {
  const isMember = useCurrentUser().state === 'member'
  useEffect(() => {
    if (isMember) return
    const listening = new AbortController()
    const { signal } = listening
    const fetchSoon = debounce(fetchAhead, REST_MS)
    const rest = ({ target }: Event) => {
      fetchSoon.cancel()
      const link =
        target instanceof Element
          ? target.closest<HTMLAnchorElement>('a[href]:not([data-asks-nothing])')
          : null
      const address = link && dataAddress(link.href, location.href)
      if (address) fetchSoon(address)
    }
    for (const event of ['pointerover', 'focusin', 'touchstart']) {
      document.addEventListener(event, rest, { signal, passive: true })
    }
    for (const event of ['pointerout', 'focusout'])
      document.addEventListener(event, fetchSoon.cancel, { signal })
    return () => {
      fetchSoon.cancel()
      listening.abort()
    }
  }, [isMember])
  return null
}

const fetched = new Set<string>()

/** A browser uses what it fetched ahead for some minutes without asking again. */
function fetchAhead(address: string): void {
  if (fetched.has(address)) return
  fetched.add(address)
  const link = document.createElement('link')
  link.rel = 'prefetch'
  link.as = 'fetch'
  link.href = address
  link.onload = link.onerror = () => link.remove()
  document.head.append(link)
  // The hint holds for five minutes; after that it may be given again.
  setTimeout(() => fetched.delete(address), 300_000)
}

/** Pages whose data the browser asks for through a client loader, by the id of their route. */
const routes = [
  { path: /^\/resources(\/\w+)?$/, id: 'routes/listing' },
  { path: /^\/resource\/[^/]+$/, id: 'routes/detail' },
] as const

/** Where the router will ask for a page's data; null for pages that it fetches ahead by itself, or that are not ours. */
export function dataAddress(link: string, here: string): string | null {
  const url = URL.canParse(link, here) ? new URL(link, here) : null
  const route = url && routes.find(({ path }) => path.test(url.pathname))
  if (!url || !route || url.origin !== new URL(here).origin) return null
  const search = new URLSearchParams(url.search)
  search.set('_routes', route.id)
  return `${url.pathname}.data?${search}`
}
