import { useEffect, useRef } from 'react'

/**
 * Puts `data-scrolled` on the header while the page is scrolled past the sentinel, which stands at the page's top and is
 * 10 px high (specification, section 9). Nothing is rendered again for it, and no scroll event is listened to.
 */
export function useScrolledMark() {
  const header = useRef<HTMLElement>(null)
  const sentinel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!sentinel.current) return
    const observer = new IntersectionObserver(([entry]) => {
      header.current?.toggleAttribute('data-scrolled', entry?.isIntersecting === false)
    })
    observer.observe(sentinel.current)
    return () => observer.disconnect()
  }, [])
  return { header, sentinel }
}
