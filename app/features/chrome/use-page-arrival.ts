import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/**
 * After a move to another page, puts the focus on its heading, as a full page load would put it at the top: a screen
 * reader says where we are, and Tab goes on from there. A changed query (searching, paging) leaves the focus alone.
 */
export function usePageArrival() {
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
