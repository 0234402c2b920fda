import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '#server/config/config.ts'
import { SetupError } from '#server/config/env.ts'
import { findDatabase, type RunningDatabase, startDatabase } from '#server/database/open.ts'
import { openFiles } from '#server/files/open.ts'
import { ENCRYPTION_KEY_FILE } from '#server/tokens/encryption.ts'
import packageFile from '../../package.json' with { type: 'json' }
import type { Source } from './dump.ts'
import type { Target } from './restore.ts'

/** All that an installation is made of, until it is closed. */
export interface Installation extends Source, Target {
  close(): Promise<void>
}

/**
 * What the configuration names, to be backed up: beside the running service, or while it is stopped. The schema stays as it
 * is, so that a backup can be made before an upgrade. Errors: SetupError, and those of `findDatabase`.
 */
export const openSource = (config: Config, log: Logger): Promise<Installation> =>
  open(config, () => findDatabase(config, log, false))

/** Where the configuration wants an archive restored. The service must be stopped. Errors: those of `startDatabase`. */
export const openTarget = (config: Config, log: Logger): Promise<Installation> =>
  open(config, () => startDatabase(config, log))

async function open(config: Config, openDatabase: () => Promise<RunningDatabase>): Promise<Installation> {
  const { hosted, dataDir, encryptionKey } = config
  if (hosted)
    throw new SetupError(
      'Supabase makes the backups of a hosted project, and restores them: see Database → Backups in its dashboard. Files are not in them; download the buckets too.',
    )
  const key = encryptionKey ? `${encryptionKey.toString('base64')}\n` : await readKeyFile(dataDir)
  const files = await openFiles(config.storageUrl)
  const { url, stop } = await openDatabase()
  return {
    databaseUrl: url,
    files,
    dataDir,
    encryptionKey,
    keys: new Map(key === undefined ? [] : [[ENCRYPTION_KEY_FILE, Buffer.from(key)]]),
    release: packageFile.version,
    close: stop,
  }
}

/** Databases of earlier releases have no key yet. */
const readKeyFile = (dataDir: string): Promise<string | undefined> =>
  readFile(join(dataDir, ENCRYPTION_KEY_FILE), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
