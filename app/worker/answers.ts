import { cacheNames } from './caches.ts'
import { pageOfData, type RequestKind } from './requests.ts'
import type { FetchEvent } from './worker-scope.d.ts'

/** Part of the shell; its own query tells where the reader wanted to go. */
export const OFFLINE = '/offline'

/** A pointer that rests on the link asks for the data too, before it is pressed. */
const LOADS_A_MOMENT = 3
const A_MOMENT_MS = 5_000

type Answer = (event: FetchEvent) => Promise<Response>

/** How each kind of request is answered. The network comes first: what is kept is for when there is none. */
export const answers: Readonly<Record<RequestKind, Answer>> = {
  async page({ request, preloadResponse }) {
    try {
      return (await preloadResponse) ?? (await fetch(request))
    } catch {
      return (await keptPage(request.url)) ?? offlinePage(request.url)
    }
  },

  /**
   * The router asks for a page's data when a link is followed. Without a network it is told to load the page itself,
   * which may be kept; not for ever, should a page ask for its own data each time that it is loaded.
   */
  async data({ request }) {
    try {
      return await fetch(request)
    } catch {
      const page = pageOfData(request.url)
      return isLoadedOverAndOver(page) ? Response.error() : loadInstead(page)
    }
  },

  /** Named by their content, so the kept one is the right one. */
  async asset({ request }) {
    return (await caches.match(request.url, { cacheName: cacheNames.assets })) ?? fetch(request)
  },

  async picture({ request }) {
    try {
      return await fetch(request)
    } catch {
      return (await caches.match(request.url)) ?? Response.error()
    }
  },
}

/** As it was read last, or else as it came with the shell. */
async function keptPage(url: string): Promise<Response | undefined> {
  const { pathname, search } = new URL(url)
  const address = pathname === OFFLINE ? OFFLINE : pathname + search
  return (await caches.match(address, { cacheName: cacheNames.pages })) ?? caches.match(address)
}

/** The address goes along, so that the page can lead back to it. */
function offlinePage(url: string): Response {
  const { pathname, search, origin } = new URL(url)
  if (pathname === OFFLINE) return Response.error()
  return Response.redirect(`${origin}${OFFLINE}?from=${encodeURIComponent(pathname + search)}`, 302)
}

let loads: { page: string; at: number }[] = []

function isLoadedOverAndOver(page: string): boolean {
  const now = Date.now()
  loads = [...loads.filter(({ at }) => now - at < A_MOMENT_MS), { page, at: now }]
  return loads.filter((load) => load.page === page).length > LOADS_A_MOMENT
}

/** How React Router's own server words a redirect that leaves the application (its single-fetch protocol). */
const loadInstead = (page: string): Response =>
  new Response(null, {
    status: 204,
    headers: { 'X-Remix-Redirect': page, 'X-Remix-Status': '302', 'X-Remix-Reload-Document': 'true' },
  })
