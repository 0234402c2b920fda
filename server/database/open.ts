import type { Logger } from 'pino'
import type { DatabaseConfig } from '#server/config.ts'
import type { CallerOptions, Database, Driver, Transaction } from './port.ts'

/** Opens the database that the configuration names. Errors: DatabaseUnavailable, or PGlite's own on a damaged folder. */
export async function openDatabase(config: DatabaseConfig, log: Logger): Promise<Database> {
  // Each adapter is loaded only when it is used: PGlite alone is worth 100 MB of memory.
  const driver =
    config.kind === 'postgres'
      ? (await import('./postgres.ts')).openPostgres(config.url, log)
      : await (await import('./pglite.ts')).openPglite(config.folder)
  return createDatabase(driver, log)
}

/** The port over an adapter: roles, claims and settings are set inside each transaction, in one message. */
export function createDatabase(driver: Driver, log: Logger): Database {
  return {
    kind: driver.kind,
    listen: driver.listen.bind(driver),
    close: () => driver.close(),
    asCaller: (caller, work, options = {}) =>
      driver.transaction(options.readOnly ? 'begin read only' : 'begin', async (tx) => {
        const settings = callerSettings(caller.role, caller.claims, options)
        await applySettings(tx, settings)
        return work(tx)
      }),
    asOwner: (reason, work) => {
      log.debug({ reason }, 'database as owner')
      return driver.transaction('begin', work)
    },
  }
}

type Settings = ReadonlyArray<readonly [name: string, value: string]>

const callerSettings = (role: string, claims: object, { settings = {} }: CallerOptions): Settings => [
  ['role', role],
  ['request.jwt.claims', JSON.stringify(claims)],
  ...Object.entries(settings),
]

/** `set_config(…, true)` ends with the transaction, like SET LOCAL, but takes parameters. */
async function applySettings(tx: Transaction, settings: Settings): Promise<void> {
  const calls = settings.map((_, i) => `set_config($${2 * i + 1}, $${2 * i + 2}, true)`)
  await tx.query(`select ${calls.join(', ')}`, settings.flat())
}
