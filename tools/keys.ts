// `npm run keys -- rotate`: a new key signs access tokens from now on; the earlier ones verify until their last token
// has ended. With an embedded database the service must be stopped for it; it reads its keys again when it starts.
import { pino } from 'pino'
import { SetupError } from '#server/config/setup-error.ts'
import { readConfig } from '#server/config.ts'
import { lockDataDir } from '#server/database/data-dir-lock.ts'
import { migrate } from '#server/database/migrate.ts'
import { openDatabase } from '#server/database/open.ts'
import { rotateSigningKey } from '#server/identity/signing-keys.ts'

/** Processes that have not noticed yet sign with the old key for a little longer. */
const MARGIN_SECONDS = 600

async function rotate(): Promise<string> {
  const { database, dataDir, auth, hosted } = readConfig(process.env)
  if (hosted) throw new SetupError('A hosted project keeps its own keys: change them in its dashboard.')
  const log = pino({ level: 'silent' })
  const unlock = database.kind === 'pglite' ? await lockDataDir(dataDir) : async () => undefined
  const db = await openDatabase(database, log)
  try {
    await migrate(db, log)
    return await rotateSigningKey(db, auth.jwtExpirySeconds + MARGIN_SECONDS)
  } finally {
    await db.close()
    await unlock()
  }
}

try {
  if (process.argv[2] !== 'rotate')
    throw new SetupError('npm run keys -- rotate   makes a new key for access tokens')
  console.log(`Access tokens are signed by the key ${await rotate()} from now on.`)
} catch (error) {
  console.error(error instanceof SetupError ? error.message : error)
  process.exitCode = 1
}
