import type { Logger } from 'pino'
import type { DatabaseConfig } from '#server/config.ts'
import type { Caller } from '#server/identity/caller.ts'
import { endListenersOnClose } from './listeners.ts'
import type { CallerOptions, Database, Driver, TransactionOptions } from './port.ts'

/** Opens the database that the configuration names. Errors: PGlite's own on a damaged folder. */
export async function openDatabase(config: DatabaseConfig, log: Logger): Promise<Database> {
  // Each adapter is loaded only when it is used: PGlite alone is worth 100 MB of memory.
  const driver =
    config.kind === 'postgres'
      ? (await import('./postgres.ts')).openPostgres(config.url, log)
      : await (await import('./pglite.ts')).openPglite(config.folder)
  return createDatabase(driver, log)
}

/** The port over an adapter: role, claims and settings are set inside each transaction. */
export function createDatabase(adapter: Driver, log: Logger): Database {
  const driver = endListenersOnClose(adapter)
  return {
    kind: driver.kind,
    listen: driver.listen,
    close: () => driver.close(),
    asCaller: async (caller, work, options = {}) => driver.transaction(work, callerOptions(caller, options)),
    asOwner: (reason, work, { unlimited = false, ...options } = {}) => {
      log.debug({ reason }, 'database as owner')
      const limitMs = unlimited ? 0 : options.single ? LIMIT_MS.authenticated : OWNER_LIMIT_MS
      return driver.transaction(work, { ...options, limitMs, readOnly: options.single ?? false })
    },
  }
}

/** How long a statement may take: what a hosted project gives its roles. */
const LIMIT_MS = { anon: 3_000, authenticated: 8_000, service_role: 8_000 }
/** Our own work behind a request. */
const OWNER_LIMIT_MS = 30_000

/** Who it is comes last, so that no setting of the request can take its place. */
const callerOptions = (
  { role, claims }: Caller,
  { readOnly, settings = {}, single = false, signal }: CallerOptions,
): TransactionOptions => ({
  limitMs: LIMIT_MS[role],
  readOnly: readOnly ?? single,
  single,
  signal,
  settings: [
    ...Object.entries(settings).map(requestSetting),
    ['request.jwt.claims', JSON.stringify(claims)],
    ['role', role],
  ],
})

/** Only settings of the application have a dot; `role` and its like are PostgreSQL's. */
const requestSetting = ([name, value]: [string, string]): readonly [string, string] => {
  if (!name.includes('.')) throw new TypeError(`${name} is no setting of a request`)
  return [name, value]
}
