import { href } from 'react-router'
import { purgeOfflineCache } from '#app/session/client/offline-cache.ts'
import { isPlainClick } from '#app/ui/button.tsx'
import { cacheNames } from '#app/worker/caches.ts'
import { askToKeep, loadedAssets, startWorker } from './worker.ts'

/** The library and its resources; a filtered list is a passing question. */
const worthKeeping = /^\/$|^\/resources(\/\w+)?$|^\/resource\/[\w-]+$|^\/about$/

/** Has the service worker keep the page that is open, as visitors see it. */
export async function keepThisPage({ isVisitor }: { isVisitor: boolean }): Promise<void> {
  followLinksOffline()
  // A session may have ended while no page of ours was open.
  if (isVisitor) await purgeOfflineCache()
  const worker = await startWorker()
  if (!worker || !isVisitor || location.search || !worthKeeping.test(location.pathname)) return
  const { pathname } = location
  await askToKeep(worker, {
    cacheName: cacheNames.pages,
    page: { address: pathname, assets: loadedAssets(), picture: pictureOf(pathname), title: titleHere() },
  })
}

/** The one of the resource itself; a list's pictures are too many. */
const pictureOf = (pathname: string): string | null =>
  pathname.startsWith(href('/resource/:id', { id: '' }))
    ? (document.querySelector<HTMLImageElement>('main article > img')?.currentSrc ?? null)
    : null

const titleHere = () => document.querySelector('main h1')?.textContent?.trim() ?? document.title

let isFollowing = false

/**
 * Without a network, has the browser itself follow links, whose pages the service worker may have kept whole: the router
 * would ask for code and data of theirs. Listens before the router does, and leaves clicks alone that are no plain ones.
 */
function followLinksOffline(): void {
  if (isFollowing) return
  isFollowing = true
  window.addEventListener(
    'click',
    (event) => {
      const link = event.target instanceof Element ? event.target.closest('a[href^="/"]') : null
      if (link && isPlainClick(event) && !navigator.onLine) event.stopPropagation()
    },
    { capture: true },
  )
}
