import type { Settings, TransactionOptions, Value } from './port.ts'

/** `set_config(…, true)` ends with the transaction, like SET LOCAL, but takes parameters. */
export function settingsStatement(settings: Settings): { name: string; text: string; values: Value[] } {
  const calls = settings.map((_, i) => `set_config($${2 * i + 1}, $${2 * i + 2}, true)`)
  return {
    // Its words depend on nothing but the number of settings.
    name: `settings_${settings.length}`,
    text: `select ${calls.join(', ')}`,
    values: settings.flat(),
  }
}

/** Waiting for others' locks is a part of a statement's time, and this the most of it. */
const LOCK_SHARE = 0.6
/** A transaction in which nobody says anything for so long is ended, and its locks with it. */
const IDLE_LIMIT_MS = 15_000

/**
 * How a transaction is begun: in UTC, since poolers refuse the time zone among the options of a connection, and with
 * its limits.
 */
export function beginning({ limitMs, readOnly = false }: TransactionOptions): string {
  const begin = `begin${readOnly ? ' read only' : ''}; set local time zone 'UTC'`
  if (limitMs === 0) return begin
  return `${begin}; set local statement_timeout = ${limitMs}; set local lock_timeout = ${limitMs * LOCK_SHARE};
    set local idle_in_transaction_session_timeout = ${limitMs + IDLE_LIMIT_MS}`
}
