import { useSyncExternalStore } from 'react'
import { preferenceKeys } from '#app/session/storage-keys.ts'

export const themes = ['light', 'dark', 'system'] as const
export type Theme = (typeof themes)[number]

/** A stored theme, or `system` when it is none. */
const themeFrom = (stored: unknown): Theme => themes.find((theme) => theme === stored) ?? 'system'

const read = () => themeFrom(document.documentElement.dataset.theme)

function show(theme: Theme) {
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset.theme
  else dataset.theme = theme
}

const changed = new EventTarget()

/** Shows a theme at once, and remembers it for the next visit where the browser lets us. */
export function chooseTheme(theme: Theme) {
  show(theme)
  changed.dispatchEvent(new Event('change'))
  try {
    if (theme === 'system') localStorage.removeItem(preferenceKeys.theme)
    else localStorage.setItem(preferenceKeys.theme, theme)
  } catch {
    // Storage is blocked or full: the choice lasts as long as the page.
  }
}

function subscribe(listener: () => void) {
  const follow = ({ key, newValue }: StorageEvent) => {
    if (key !== preferenceKeys.theme) return
    show(themeFrom(newValue))
    listener()
  }
  changed.addEventListener('change', listener)
  window.addEventListener('storage', follow)
  return () => {
    changed.removeEventListener('change', listener)
    window.removeEventListener('storage', follow)
  }
}

/** The theme that is shown, also when another tab changes it; `system` while the server's page is being taken over. */
export const useTheme = () => useSyncExternalStore<Theme>(subscribe, read, () => 'system')
