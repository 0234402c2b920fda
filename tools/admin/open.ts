import { existsSync } from 'node:fs'
import { pino } from 'pino'
import { SetupError } from '#server/config/setup-error.ts'
import type { Config } from '#server/config.ts'
import { DataDirInUse, lockDataDir } from '#server/database/data-dir-lock.ts'
import { migrate } from '#server/database/migrate.ts'
import { openDatabase } from '#server/database/open.ts'
import { loadApiKeys } from '#server/identity/api-keys.ts'
import { rosterOverApi } from './over-api.ts'
import { rosterOverDatabase } from './over-database.ts'
import type { Roster } from './roster.ts'

/**
 * The members where the configuration says they are. An embedded database that the running service holds is asked
 * through the service. Errors: SetupError.
 */
export async function openRoster(config: Config): Promise<Roster> {
  const { hosted, keys, database } = config
  if (hosted && keys.secret) return rosterOverApi(hosted.url, keys.secret)
  if (database.kind === 'pglite' && !existsSync(database.folder)) {
    throw new SetupError(
      `There is no database in ${config.dataDir} yet. Start the service once, or set DATA_DIR.`,
    )
  }
  try {
    return await openHere(config)
  } catch (error) {
    if (!(error instanceof DataDirInUse)) throw error
    const { secret } = await loadApiKeys(config.dataDir, keys)
    return rosterOverApi(addressOf(config), secret)
  }
}

async function openHere({ database, dataDir }: Config): Promise<Roster> {
  const log = pino({ level: 'silent' })
  const unlock = database.kind === 'pglite' ? await lockDataDir(dataDir) : async () => undefined
  const db = await openDatabase(database, log)
  await migrate(db, log)
  return rosterOverDatabase(db, unlock)
}

/** Where the running service listens, seen from its own machine. */
const addressOf = ({ listen: { host, port } }: Config): string => {
  const everywhere = host === '0.0.0.0' || host === '::'
  const name = everywhere ? '127.0.0.1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}
