import {
  type CSSProperties,
  type ReactNode,
  type SyntheticEvent,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import { ArticleBody } from '#app/features/article/article-body.tsx'
import { LazyPlayer } from '#app/features/player/lazy-player.tsx'
import { withMedia } from '#app/features/resources/library.ts'
import { ResourceList } from '#app/features/resources/resource-list.tsx'
import { ResourcePage } from '#app/features/resources/resource-page.tsx'
import { useSettings } from '#app/session/site.ts'
import { Page } from '#app/ui/page.tsx'
import { sanitiseArticle } from '#domain/article/sanitise.ts'
import type { ResourceSummary } from '#domain/resource.ts'
import { asReadersSeeIt, type ResourceFields } from '#domain/resource-form/fields.ts'
import './preview-pane.css'

type PreviewKind = 'page' | 'card'

const PAUSE_MS = 300
const MAX_SCALE = 1.1

const screens = [
  { name: 'Phone', width: 390, shows: 'page' },
  { name: 'Computer', width: 1200, shows: 'page' },
  { name: 'Card', width: 390, shows: 'card' },
] as const

interface PreviewPaneProps {
  id: string
  fields: ResourceFields
}

/** How readers will see it, as soon as the typing pauses. */
export function PreviewPane({ id, fields }: PreviewPaneProps) {
  const [screen, setScreen] = useState<(typeof screens)[number]>(screens[0])
  const settled = useSettled(fields, PAUSE_MS)
  const { box, scale } = useScale(screen.width)
  return (
    <section id="preview" aria-labelledby="preview-title" className="preview-pane">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="preview-title" className="text-xl">
          Preview
        </h2>
        <fieldset className="preview-screens">
          <legend className="sr-only">Preview as</legend>
          {screens.map((choice) => (
            <label key={choice.name} className="preview-screen">
              <input
                type="radio"
                name="preview-screen"
                checked={choice === screen}
                onChange={() => setScreen(choice)}
              />
              {choice.name}
            </label>
          ))}
        </fieldset>
      </div>
      <div
        ref={box}
        className="preview-box"
        style={{ '--scale': scale, maxWidth: screen.width * MAX_SCALE } as CSSProperties}
      >
        <PreviewFrame title={`Preview: ${screen.name}`} width={screen.width}>
          <ResourcePreview
            resource={asReadersSeeIt(id, settled)}
            article={settled.article}
            shows={screen.shows}
          />
        </PreviewFrame>
      </div>
    </section>
  )
}

/** How much smaller, or a little larger, a screen has to be drawn to fill its place. */
function useScale(width: number) {
  const box = useRef<HTMLDivElement>(null)
  const [room, setRoom] = useState(width)
  useLayoutEffect(() => {
    if (!box.current) return
    const watch = new ResizeObserver(([entry]) => entry && setRoom(entry.contentRect.width))
    watch.observe(box.current)
    return () => watch.disconnect()
  }, [])
  return { box, scale: Math.min(MAX_SCALE, room / width) }
}

/** The value once it has not changed for a while. @param pauseMs how long */
function useSettled<Value>(value: Value, pauseMs: number): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs)
    return () => clearTimeout(timer)
  }, [value, pauseMs])
  return settled
}

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
function PreviewFrame({ title, width, children }: PreviewFrameProps) {
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

interface ResourcePreviewProps {
  resource: ResourceSummary
  /** HTML as it was typed or uploaded. */
  article: string
  shows: PreviewKind
}

/** A resource as readers will see it, made of what they see it with. */
function ResourcePreview({ resource, article, shows }: ResourcePreviewProps) {
  const shown = withMedia({ ...resource, title: resource.title || 'Title' }, useSettings())
  const player = shown.category === 'podcast' && shown.audioUrl && (
    <LazyPlayer resource={shown} compact={shows === 'card'} />
  )
  return (
    <Page>
      {shows === 'card' ? (
        <ResourceList resources={[{ ...shown, featured: false }]} view="card" actions={() => player} />
      ) : (
        <ResourcePage resource={shown}>
          {shown.category === 'reading' ? <Body html={article} /> : player}
        </ResourcePage>
      )}
    </Page>
  )
}

function Body({ html }: { html: string }) {
  const clean = useMemo(() => sanitiseArticle(html), [html])
  if (clean.trim()) return <ArticleBody html={clean} />
  return <p className="text-muted">This article does not have any content yet.</p>
}
