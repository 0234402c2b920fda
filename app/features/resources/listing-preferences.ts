import { useSyncExternalStore } from 'react'
import { preferenceKeys } from '#app/session/preference-keys.ts'
import { type PageSize, pageSizeFrom, type ViewMode, viewModeFrom } from '#domain/preferences.ts'

// Storage may be full or forbidden. A preference is then simply not kept.
const read = (key: string): string | null => {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}
const write = (key: string, value: string | number): void => {
  try {
    localStorage.setItem(key, String(value))
  } catch {
    // Nothing is lost but the preference.
  }
}

const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The view mode that this browser prefers; card until the page has woken up. */
export const useStoredView = (): ViewMode =>
  useSyncExternalStore(
    subscribe,
    () => viewModeFrom(read(preferenceKeys.view)),
    () => 'card',
  )

/** Keeps the view mode, and tells the style sheet, which follows `data-view` where the address names no view. */
export const saveView = (view: ViewMode): void => {
  write(preferenceKeys.view, view)
  document.documentElement.dataset.view = view
  for (const listener of listeners) listener()
}

/** The page size that this browser prefers. */
export const storedSize = (): PageSize => pageSizeFrom(read(preferenceKeys.size))

export const saveSize = (size: PageSize): void => write(preferenceKeys.size, size)
