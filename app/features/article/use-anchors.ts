import { type RefObject, useEffect } from 'react'
import { useLocation, useNavigate, useNavigationType } from 'react-router'

/** The fragment of an address as an id; an address that somebody typed may be no valid one. */
const idOf = (hash: string) => {
  try {
    return decodeURIComponent(hash.slice(1))
  } catch {
    return ''
  }
}

const isPlainClick = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  button === 0 && !(metaKey || ctrlKey || shiftKey || altKey)

/** The link within the article that was clicked; outside the shadow root, events only name the host. */
const clickedAnchor = (event: MouseEvent) => {
  const [target] = event.composedPath()
  return target instanceof Element ? target.closest<HTMLAnchorElement>('a[href^="#"]') : null
}

const showPlace = (place: HTMLElement) => {
  place.scrollIntoView()
  // The next press of Tab goes on from here, as it does after any other anchor.
  place.tabIndex = -1
  place.focus({ preventScroll: true })
}

/** Makes in-page anchors work inside a shadow root, where the browser does not look for them. */
export function useAnchors(host: RefObject<HTMLElement | null>) {
  const navigate = useNavigate()
  const { key, hash, search } = useLocation()
  const isBack = useNavigationType() === 'POP'

  useEffect(() => {
    const element = host.current
    const onClick = (event: MouseEvent) => {
      const link = clickedAnchor(event)
      if (!link || !isPlainClick(event)) return
      event.preventDefault()
      navigate({ search, hash: link.hash }, { preventScrollReset: true })
    }
    element?.addEventListener('click', onClick)
    return () => element?.removeEventListener('click', onClick)
  }, [host, navigate, search])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the same anchor clicked again has only a new key
  useEffect(() => {
    const place = hash && host.current?.shadowRoot?.getElementById(idOf(hash))
    // Back and reload have put the reader where they were; at the top, the address was followed just now.
    if (place && !(isBack && window.scrollY > 0)) showPlace(place)
  }, [host, hash, key, isBack])
}
