import type { Logger } from 'pino'
import type { DatabaseConfig } from '#server/config.ts'
import type { Caller } from '#server/tokens/caller.ts'
import { endListenersOnClose } from './listeners.ts'
import type { CallerOptions, Database, Driver, TransactionOptions } from './port.ts'
import { openPostgres } from './postgres.ts'

/** Opens a database by its address; `own.ts` knows the address of our own. */
export async function openDatabase(
  { url }: Extract<DatabaseConfig, { kind: 'postgres' }>,
  log: Logger,
): Promise<Database> {
  return createDatabase(openPostgres(url, log), log)
}

/** The port over an adapter: role, claims and settings are set inside each transaction. */
function createDatabase(adapter: Driver, log: Logger): Database {
  const driver = endListenersOnClose(adapter)
  return {
    listen: driver.listen,
    usage: driver.usage,
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
