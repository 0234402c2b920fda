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
      const isPlain =
        event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
      const link = event.target instanceof Element ? event.target.closest('a[href^="/"]') : null
      if (link && isPlain && !navigator.onLine) event.stopPropagation()
    },
    { capture: true },
  )
}
