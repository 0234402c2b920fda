import { pino } from 'pino'
import type { Config } from '#server/config/config.ts'
import { openOwnDatabase } from '#server/database/open.ts'
import { type Roster, rosterOverApi, rosterOverDatabase } from './command.ts'

/** The members where the configuration says they are. Errors: those of `openOwnDatabase`. */
export async function openRoster(config: Config): Promise<Roster> {
  const { hosted, keys } = config
  if (hosted && keys.secret) return rosterOverApi(hosted.url, keys.secret)
  const { db, close } = await openOwnDatabase(config, pino({ level: 'silent' }))
  return rosterOverDatabase(db, close)
}
