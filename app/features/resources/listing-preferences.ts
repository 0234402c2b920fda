import { preferenceKeys } from '#app/session/storage-keys.ts'
import { createStore, safeLocalStorage, useStore } from '#app/ui/store.ts'
import { type PageSize, pageSizeFrom, type ViewMode, viewModeFrom } from '#domain/preferences.ts'

const storedView = createStore<ViewMode>('card', () =>
  viewModeFrom(safeLocalStorage.get(preferenceKeys.view)),
)

/** The view mode that this browser prefers; card until the page is hydrated. */
export const useStoredView = (): ViewMode => useStore(storedView)

/** Keeps the view mode, and tells the style sheet, which follows `data-view` where the address names no view. */
export const saveView = (view: ViewMode): void => {
  safeLocalStorage.set(preferenceKeys.view, view)
  document.documentElement.dataset.view = view
  storedView.set(view)
}

/** The page size that this browser prefers. */
export const storedSize = (): PageSize => pageSizeFrom(safeLocalStorage.get(preferenceKeys.size))

export const saveSize = (size: PageSize): void => void safeLocalStorage.set(preferenceKeys.size, String(size))
