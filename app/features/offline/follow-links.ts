import { isPlainClick } from '#app/ui/button.tsx'

let isFollowing = false

/**
 * Without a network, has the browser itself follow links, whose pages the service worker may have kept whole: the router
 * would ask for code and data of theirs. Listens before the router does, and leaves clicks alone that are no plain ones.
 */
export function followLinksOffline(): void {
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
