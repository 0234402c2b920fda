/** The names under which this browser's local storage remembers what a reader chose. */
export const preferenceKeys = { theme: 'theme', view: 'view-mode', size: 'page-size' } as const
