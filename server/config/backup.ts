import { join } from 'node:path'
import { z } from 'zod'
import { matching, wholeNumber } from './fields.ts'

/** Nightly backups: where they go, how many stay, and when they are made. */
export const backupVariables = {
  BACKUP_DIR: z.string().optional(),
  BACKUP_KEEP: wholeNumber({ from: 1, to: 1000 }).default(7),
  BACKUP_AT: matching(/^(off|([01]\d|2[0-3]):[0-5]\d)$/, 'must be a time like 03:30, or off').default(
    '03:30',
  ),
}

const BackupEnvironment = z.object(backupVariables)

export interface BackupConfig {
  /** A folder, or `s3://bucket/path?endpoint=…&region=…`. */
  dir: string
  /** How many verified ones stay. */
  keep: number
  /** In the server's own time zone; undefined: never. */
  at: { hour: number; minute: number } | undefined
}

export function backupConfig(env: z.infer<typeof BackupEnvironment>, dataDir: string): BackupConfig {
  const [hour, minute] = env.BACKUP_AT.split(':').map(Number)
  return {
    dir: env.BACKUP_DIR ?? join(dataDir, 'backups'),
    keep: env.BACKUP_KEEP,
    at: hour === undefined || minute === undefined ? undefined : { hour, minute },
  }
}
