import type { Settings, Value } from './port.ts'

/** `set_config(…, true)` ends with the transaction, like SET LOCAL, but takes parameters. */
export function settingsStatement(settings: Settings): { text: string; values: Value[] } {
  const calls = settings.map((_, i) => `set_config($${2 * i + 1}, $${2 * i + 2}, true)`)
  return { text: `select ${calls.join(', ')}`, values: settings.flat() }
}
