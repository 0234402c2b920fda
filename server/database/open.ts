import type { Logger } from 'pino'
import type { DatabaseConfig } from '#server/config.ts'
import type { Caller } from '#server/identity/caller.ts'
import { endListenersOnClose } from './listeners.ts'
import type { CallerOptions, Database, Driver, Settings } from './port.ts'

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
    asCaller: async (caller, work, options = {}) => driver.transaction(work, callerSettings(caller, options)),
    asOwner: (reason, work) => {
      log.debug({ reason }, 'database as owner')
      return driver.transaction(work, [])
    },
  }
}

/** A caller's longer statement is cancelled (SQLSTATE 57014), as on a hosted project; PGlite has no clock to do so. */
const STATEMENT_TIMEOUT = '8s'

/** Who it is comes last, so that no setting of the request can take its place. */
const callerSettings = ({ role, claims }: Caller, { readOnly, settings = {} }: CallerOptions): Settings => [
  ...Object.entries(settings).map(requestSetting),
  ['statement_timeout', STATEMENT_TIMEOUT],
  ...(readOnly ? ([['transaction_read_only', 'on']] as const) : []),
  ['request.jwt.claims', JSON.stringify(claims)],
  ['role', role],
]

/** Only settings of the application have a dot; `role` and its like are PostgreSQL's. */
const requestSetting = ([name, value]: [string, string]): readonly [string, string] => {
  if (!name.includes('.')) throw new TypeError(`${name} is no setting of a request`)
  return [name, value]
}
