import { useEffect, useRef } from 'react'
import { useLocation, useNavigation } from 'react-router'

/** A thin line under the header while the next page is on its way, after a moment in which most pages have come. */
export function NavigationProgress() {
  const { state } = useNavigation()
  if (state === 'idle') return null
  return (
    <div aria-hidden="true" className="navigation-progress absolute inset-x-0 -bottom-px h-0.5 bg-brand" />
  )
}

/** The first thing Tab finds: past the header, to what the page is about. */
export function SkipLink() {
  return (
    <a
      href="#content"
      className="fixed top-2 left-2 z-30 -translate-y-20 rounded-full bg-ink px-5 py-3 font-semibold text-paper focus:translate-y-0 print:hidden"
    >
      Skip to content
    </a>
  )
}

/**
 * After a move to another page, puts the focus on its heading, as a full page load would put it at the top: a screen
 * reader says where we are, and Tab goes on from there. A changed query (searching, paging) leaves the focus alone.
 */
export function useFocusOnNavigation() {
  const { pathname } = useLocation()
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    // An announcement may be quicker, and what it offers is not taken out of anybody's hands.
    if (document.activeElement?.closest('[role=status]')) return
    const heading = document.querySelector<HTMLElement>('main h1')
    heading?.setAttribute('tabindex', '-1')
    heading?.focus({ preventScroll: true })
  }, [pathname])
}
