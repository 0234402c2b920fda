import { type RefObject, useEffect } from 'react'

const markScroller = (box: HTMLElement) => {
  const name = box.localName === 'pre' ? 'Text that scrolls sideways' : 'Table that scrolls sideways'
  const attributes = { tabindex: '0', role: 'region', 'aria-label': name }
  const isScrolling = box.scrollWidth > box.clientWidth
  for (const [attribute, value] of Object.entries(attributes)) {
    if (isScrolling) box.setAttribute(attribute, value)
    else box.removeAttribute(attribute)
  }
}

/** Lets the keyboard into tables and listings that are wider than the page, and only into those. */
export function useScrollers(host: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const element = host.current
    if (!element) return
    const markAll = () =>
      element.shadowRoot?.querySelectorAll<HTMLElement>('.table-scroller, pre').forEach(markScroller)
    const observer = new ResizeObserver(markAll)
    observer.observe(element)
    return () => observer.disconnect()
  }, [host])
}
