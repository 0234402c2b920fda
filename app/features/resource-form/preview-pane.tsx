import { type ComponentType, type CSSProperties, useLayoutEffect, useRef, useState } from 'react'
import type { ResourceSummary } from '#domain/resource.ts'
import type { ResourceFields } from '#domain/resource-form/fields.ts'
import { asReadersSeeIt } from '#domain/resource-form/row.ts'
import { PreviewFrame } from './preview-frame.tsx'
import { useSettled } from './use-settled.ts'
import './preview-pane.css'

/** What readers see of a resource; the route has it from the readers' own features. */
export type PreviewOf = ComponentType<{ resource: ResourceSummary; article: string; shows: PreviewKind }>
export type PreviewKind = 'page' | 'card'

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
  Preview: PreviewOf
}

/** How readers will see it, as soon as the typing pauses. */
export function PreviewPane({ id, fields, Preview }: PreviewPaneProps) {
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
          <Preview resource={asReadersSeeIt(id, settled)} article={settled.article} shows={screen.shows} />
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
