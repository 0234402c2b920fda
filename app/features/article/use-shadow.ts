import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * Keeps the content of an element's shadow root. The first one may have come with the page, as a declarative
 * shadow root, and then stays untouched; otherwise it is filled before the browser paints.
 */
export function useShadow(host: RefObject<HTMLElement | null>, content: string) {
  const shown = useRef<string>(undefined)
  useLayoutEffect(() => {
    const element = host.current
    if (!element || shown.current === content) return
    const isFromServer = shown.current === undefined && element.shadowRoot !== null
    shown.current = content
    if (isFromServer) return
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' })
    root.innerHTML = content
    // A browser that does not know declarative shadow roots has left the template lying there.
    element.replaceChildren()
  }, [host, content])
}
