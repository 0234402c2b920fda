import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import packageFile from '../../package.json' with { type: 'json' }
import { SetupError } from '#server/config/setup-error.ts'
import type { Config } from '#server/config.ts'
import { findDatabase, startDatabase } from '#server/database/own.ts'
import { openFiles } from '#server/files/open.ts'
import { ENCRYPTION_KEY_FILE } from '#server/identity/encryption-key.ts'
import type { Source } from './dump.ts'
import type { Target } from './restore.ts'

/** Something that is open until it is closed. */
type Opened<T> = T & { close(): Promise<void> }

/**
 * What the configuration names, to be backed up: beside the running service, or while it is stopped. The schema stays as it
 * is, so that a backup can be made before an upgrade. Errors: SetupError, and those of `findDatabase`.
 */
export async function openSource(config: Config, log: Logger): Promise<Opened<Source>> {
  refuseHosted(config)
  const { url, stop } = await findDatabase(config, log, false)
  const key = config.encryptionKey ? `${config.encryptionKey.toString('base64')}\n` : await readKeyFile(config.dataDir)
  return {
    databaseUrl: url,
    files: await openFiles(config.storageUrl),
    keys: new Map(key === undefined ? [] : [[ENCRYPTION_KEY_FILE, Buffer.from(key)]]),
    release: packageFile.version,
    close: stop,
  }
}

/** Where the configuration wants an archive restored. The service must be stopped. Errors: those of `startDatabase`. */
export async function openTarget(config: Config, log: Logger): Promise<Opened<Target>> {
  refuseHosted(config)
  const { url, stop } = await startDatabase(config, log)
  return {
    databaseUrl: url,
    files: await openFiles(config.storageUrl),
    dataDir: config.dataDir,
    encryptionKey: config.encryptionKey,
    close: stop,
  }
}

function refuseHosted({ hosted }: Config): void {
  if (hosted)
    throw new SetupError(
      'Supabase makes the backups of a hosted project, and restores them: see Database → Backups in its dashboard. Files are not in them; download the buckets too.',
    )
}

/** Databases of earlier releases have no key yet. */
const readKeyFile = (dataDir: string): Promise<string | undefined> =>
  readFile(join(dataDir, ENCRYPTION_KEY_FILE), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
