import { useEffect, useSyncExternalStore } from 'react'
import { LineDrawing } from './line-drawing.tsx'

const SHOWN_MS = 8_000

let current = ''
const listeners = new Set<() => void>()

/** Says something in passing: at the lower edge of the page, and aloud for screen readers. */
export function announce(message: string): void {
  current = message
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The place where announcements appear; one for the whole site. */
export function Announcements() {
  const message = useSyncExternalStore(
    subscribe,
    () => current,
    () => '',
  )
  useEffect(() => {
    if (!message) return
    const timer = setTimeout(() => announce(''), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [message])
  return (
    <div role="status" className="pointer-events-none fixed inset-x-0 bottom-0 z-30 flex justify-center p-4">
      {message && (
        <p className="pointer-events-auto flex max-w-lg items-center gap-2 rounded-xl bg-ink py-1 ps-5 pe-1 text-paper shadow-lg">
          {message}
          <button
            type="button"
            aria-label="Dismiss"
            onClick={() => announce('')}
            className="grid size-11 shrink-0 cursor-pointer place-items-center"
          >
            <LineDrawing path="M6 6l12 12M18 6 6 18" className="size-5" />
          </button>
        </p>
      )}
    </div>
  )
}
