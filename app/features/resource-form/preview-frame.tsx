import { type ReactNode, type SyntheticEvent, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'

interface PreviewFrameProps {
  title: string
  /** How wide a screen it stands for, in pixels. */
  width: number
  children: ReactNode
}

/**
 * A screen of another width within the page: a document of its own, so that style sheets see that width, with the page's
 * own style sheets and theme. Links in it lead nowhere.
 */
export function PreviewFrame({ title, width, children }: PreviewFrameProps) {
  const [inner, setInner] = useState<Document | null>(null)
  useEffect(() => (inner ? dressLike(document, inner) : undefined), [inner])
  return (
    <>
      <iframe
        title={title}
        srcDoc="<!doctype html><html lang='en'><head><title>Preview</title></head><body></body></html>"
        onLoad={({ currentTarget }) => setInner(currentTarget.contentDocument)}
        className="preview-frame"
        style={{ width }}
      />
      {inner && createPortal(<div onClickCapture={leadNowhere}>{children}</div>, inner.body)}
    </>
  )
}

/** Copies what makes a page look as it does, and the theme whenever it changes. Returns how to stop. */
function dressLike(page: Document, inner: Document): () => void {
  const copied = new Set<Element>()
  const dress = () => {
    for (const [name, value] of Object.entries(page.documentElement.dataset)) {
      inner.documentElement.dataset[name] = value
    }
    for (const sheet of page.head.querySelectorAll('link[rel=stylesheet], style')) {
      if (!copied.has(sheet)) inner.head.append(sheet.cloneNode(true))
      copied.add(sheet)
    }
  }
  dress()
  const watch = new MutationObserver(dress)
  watch.observe(page.documentElement, { attributeFilter: ['data-theme'] })
  watch.observe(page.head, { childList: true })
  return () => watch.disconnect()
}

/** The article's links are in a shadow root, so the path tells what was pressed. */
function leadNowhere(event: SyntheticEvent): void {
  const isLink = event.nativeEvent.composedPath().some((one) => (one as Element).localName === 'a')
  if (!isLink) return
  event.preventDefault()
  event.stopPropagation()
}
