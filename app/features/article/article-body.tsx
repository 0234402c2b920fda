import './article-host.css'
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigate, useNavigationType } from 'react-router'
import { isPlainClick } from '#app/ui/button.tsx'
import text from './article.css?inline'
import blocks from './article-blocks.css?inline'
import print from './article-print.css?inline'

// In the browser the children of the host are not React's business: the parser, or the hook, has made them a
// shadow root.
const isServer = typeof document === 'undefined'

/**
 * Shows an article that went through `sanitiseArticle` (never any other HTML) in a shadow root of its own, so
 * that its style blocks cannot touch the page. It stands in the server's HTML already, as a declarative one.
 */
export function ArticleBody({ html }: { html: string }) {
  const host = useRef<HTMLDivElement>(null)
  useShadow(host, shadowContent(html))
  useAnchors(host)
  useScrollers(host)
  const markup = { __html: isServer ? shadowTemplate(html) : '' }
  return (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: this is what the sanitiser is for
    <div ref={host} className="article-host" dangerouslySetInnerHTML={markup} />
  )
}

/**
 * Keeps the content of an element's shadow root. The first one may have come with the page, as a declarative
 * shadow root, and then stays untouched; otherwise it is filled before the browser paints.
 */
function useShadow(host: RefObject<HTMLElement | null>, content: string) {
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

const typography = text + blocks + print

/** What the shadow root of an article holds: our typography, then the article, whose styles may follow on it. */
const shadowContent = (html: string) => `<style>${typography}</style><div class="article">${html}</div>`

/** The same for the server: a browser's parser makes a shadow root of it before anything is painted. */
const shadowTemplate = (html: string) => `<template shadowrootmode="open">${shadowContent(html)}</template>`

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
function useScrollers(host: RefObject<HTMLElement | null>) {
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

/** The fragment of an address as an id; an address that somebody typed may be no valid one. */
const idOf = (hash: string) => {
  try {
    return decodeURIComponent(hash.slice(1))
  } catch {
    return ''
  }
}

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
function useAnchors(host: RefObject<HTMLElement | null>) {
  const navigate = useNavigate()
  const { key, hash, search } = useLocation()
  const isBack = useNavigationType() === 'POP'

  useEffect(() => {
    const element = host.current
    const onClick = (event: MouseEvent) => {
      const link = clickedAnchor(event)
      if (!link || !isPlainClick(event)) return
      event.preventDefault()
      void navigate({ search, hash: link.hash }, { preventScrollReset: true })
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
