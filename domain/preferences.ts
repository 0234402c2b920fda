/** How a listing is laid out; the first is the default (specification, section 5). */
export const viewModes = ['card', 'list'] as const
export type ViewMode = (typeof viewModes)[number]

/** How many resources a page of a listing may show (sections 5 and 9). */
export const pageSizes = [4, 8, 12, 16, 24, 48] as const
export type PageSize = (typeof pageSizes)[number]

/** How fast a podcast may be played (section 9). */
export const speeds = [0.5, 0.75, 1, 1.25, 1.5, 2] as const
export type Speed = (typeof speeds)[number]

/** What a browser remembers about listings. */
export interface Preferences {
  view: ViewMode
  size: PageSize
}

export const defaultPreferences: Preferences = { view: 'card', size: 8 }

// Storage and addresses hold text, callers hold numbers: both are compared as text, and nothing is guessed.
const choose = <Option, Fallback>(options: readonly Option[], stored: unknown, fallback: Fallback) =>
  options.find((option) => String(option) === String(stored)) ?? fallback

/** A stored view mode, or the fallback (card) when it is not one. */
export const viewModeFrom = (stored: unknown, fallback: ViewMode = 'card'): ViewMode =>
  choose(viewModes, stored, fallback)

/** A stored page size, or the fallback (8) when it is not one. */
export const pageSizeFrom = (stored: unknown, fallback: PageSize = 8): PageSize =>
  choose(pageSizes, stored, fallback)

/** A stored podcast speed, or 1 when it is not one. */
export const speedFrom = (stored: unknown): Speed => choose(speeds, stored, 1)

/** The names under which a browser's local storage remembers what somebody chose. */
export const preferenceKeys = { theme: 'theme', view: 'view-mode', size: 'page-size' } as const
