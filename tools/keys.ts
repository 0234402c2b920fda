// `npm run keys -- rotate`: a new key signs access tokens from now on; the earlier ones verify until their last token
// has ended. `npm run keys -- reseal`: a new encryption key for the secrets in the database; the service must be stopped
// for that, on every machine.
import { pino } from 'pino'
import { type Config, readConfig } from '#server/config/config.ts'
import { SetupError } from '#server/config/env.ts'
import { openOwnDatabase } from '#server/database/open.ts'
import type { Database } from '#server/database/port.ts'
import { agreeOnApiKeys } from '#server/tokens/api-keys.ts'
import { changeEncryptionKey, openSealing, sealWhatIsOpen } from '#server/tokens/encryption.ts'
import { rotateSigningKey } from '#server/tokens/signing-keys.ts'

/** Processes that have not noticed yet sign with the old key for a little longer. */
const MARGIN_SECONDS = 600

const usage = `npm run keys -- rotate   makes a new key for access tokens
npm run keys -- reseal   makes a new encryption key and seals everything with it; stop the service first`

type Command = (db: Database, config: Config) => Promise<string>

const commands: Readonly<Record<string, Command>> = {
  async rotate(db, { dataDir, encryptionKey, auth }) {
    const sealing = await openSealing(db, dataDir, encryptionKey)
    const kid = await rotateSigningKey(db, sealing, auth.jwtExpirySeconds + MARGIN_SECONDS)
    return `Access tokens are signed by the key ${kid} from now on.`
  },
  async reseal(db, { dataDir, encryptionKey, keys: given }) {
    const sealing = await openSealing(db, dataDir, encryptionKey)
    await sealWhatIsOpen(db, sealing, (await agreeOnApiKeys(db, sealing, { dataDir, given })).secret)
    const show = (key: string) => console.log(`The new key, for ENCRYPTION_KEY on every machine: ${key}`)
    const keyId = await changeEncryptionKey(db, dataDir, { given: encryptionKey, show })
    return `The secrets in the database are sealed with the key ${keyId} now. Make a backup: earlier ones need the earlier key.`
  },
}

async function run(command: Command): Promise<string> {
  const config = readConfig(process.env)
  if (config.hosted)
    throw new SetupError('A hosted project keeps its own keys: change them in its dashboard.')
  const log = pino({ level: 'silent' })
  const { db, close } = await openOwnDatabase(config, log, { alone: command === commands.reseal })
  try {
    return await command(db, config)
  } finally {
    await close()
  }
}

try {
  const command = commands[process.argv[2] ?? '']
  if (!command) throw new SetupError(usage)
  console.log(await run(command))
} catch (error) {
  console.error(error instanceof SetupError ? error.message : error)
  process.exitCode = 1
}
