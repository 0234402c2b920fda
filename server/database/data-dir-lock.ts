import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { SetupError } from '#server/config/setup-error.ts'

/** Another process owns the data folder. */
export class DataDirInUse extends SetupError {
  constructor(folder: string) {
    super(
      `Another Walking Together process is using ${folder}. Stop it first, or give this one its own DATA_DIR (several processes can share a DATABASE_URL).`,
    )
  }
}

/** The data folder cannot be made, or nothing can be written in it. */
export class DataDirUnusable extends SetupError {
  constructor(folder: string, cause: Error) {
    super(
      `The data folder ${folder} cannot be used: ${cause.message}. DATA_DIR must name a folder to write in.`,
      {
        cause,
      },
    )
  }
}

/** What SQLite says when somebody else holds the lock (SQLITE_BUSY). */
const BUSY = 5

/** A connection that nobody holds on to is closed by the garbage collector, and its lock with it. */
const held = new Set<DatabaseSync>()

/**
 * Makes the data folder if need be and claims it for this process, until the returned function is called or the
 * process ends, however it ends. The claim is SQLite's lock on an empty file: the kernel takes it back from a dead
 * process, so there is never a stale one, and of two that start together exactly one gets it. Node itself cannot lock.
 * Errors: DataDirInUse, DataDirUnusable.
 */
export async function lockDataDir(folder: string): Promise<() => Promise<void>> {
  let lock: DatabaseSync | undefined
  try {
    // It holds keys, addresses and password hashes: nobody else's business.
    await mkdir(folder, { recursive: true, mode: 0o700 })
    lock = new DatabaseSync(join(folder, 'owner.lock'), { timeout: 0 })
    lock.exec('pragma journal_mode = memory; begin exclusive')
  } catch (error) {
    lock?.close()
    throw isBusy(error) ? new DataDirInUse(folder) : new DataDirUnusable(folder, error as Error)
  }
  const claim = lock
  held.add(claim)
  return async () => {
    if (held.delete(claim)) claim.close()
  }
}

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === BUSY
