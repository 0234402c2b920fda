import { X } from 'lucide'
import { useEffect, useRef } from 'react'
import { Icon } from './icon.tsx'
import { createStore, useStore } from './store.ts'

/** What can be done about it, for example to undo it. */
interface Action {
  label: string
  run(): void
}

const SHOWN_MS = 8_000
const SHOWN_WITH_ACTION_MS = 30_000

const shown = createStore<{ message: string; action?: Action | undefined }>({ message: '' })

/**
 * Says something in passing: at the lower edge of the page, and aloud for screen readers. An action stays longer and
 * takes the focus, since what was pressed before it is mostly gone; it must never be the only way to do a thing.
 */
export const toast = (message: string, action?: Action): void => shown.set({ message, action })

const focus = (button: HTMLButtonElement | null) => button?.focus({ preventScroll: true })

/** The place where toasts appear; one for the whole site. Nothing vanishes under a pointer or the focus. */
export function Toasts() {
  const current = useStore(shown)
  const { message, action } = current
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!current.message) return
    const leave = () => place.current?.querySelector(':hover, :focus-visible') || toast('')
    const timer = setInterval(leave, current.action ? SHOWN_WITH_ACTION_MS : SHOWN_MS)
    return () => clearInterval(timer)
  }, [current])
  return (
    <div
      ref={place}
      role="status"
      className="toasts pointer-events-none fixed inset-x-0 bottom-0 z-30 flex justify-center p-4"
    >
      {message && (
        <p className="pointer-events-auto flex max-w-lg items-center gap-2 rounded-xl bg-ink py-1 ps-5 pe-1 text-paper shadow-lg">
          {message}
          {action && (
            <button
              type="button"
              ref={focus}
              onClick={action.run}
              className="min-h-11 cursor-pointer px-2 font-semibold underline"
            >
              {action.label}
            </button>
          )}
          <button
            type="button"
            aria-label="Dismiss"
            onClick={() => toast('')}
            className="grid size-11 shrink-0 cursor-pointer place-items-center"
          >
            <Icon icon={X} className="size-5" />
          </button>
        </p>
      )}
    </div>
  )
}
