import type { Logger } from 'pino'
import type { Database } from '#server/database/port.ts'

/** Tells when the library has changed, so that rendered pages can be dropped. */
export interface ContentWatch {
  /** To be awaited before a cached page is used; does nothing when changes are announced by themselves. */
  upToDate(): Promise<void>
  stop(): Promise<void>
}

/** Embedded: the database announces each change to every process. A gap in listening counts as a change. */
export async function watchDatabase(db: Database, onChange: () => void): Promise<ContentWatch> {
  const stop = await db.listen('content_changed', onChange, onChange)
  return { upToDate: async () => undefined, stop }
}

const POLL_MS = 3_000

/** Hosted: asks the project for the content version, at most every few seconds, one question at a time. */
export function watchHosted(
  readVersion: () => Promise<string>,
  onChange: () => void,
  log: Logger,
): ContentWatch {
  let known: string | undefined
  let askedAt = 0
  let asking: Promise<void> | undefined

  const ask = async () => {
    try {
      const version = await readVersion()
      if (known !== undefined && version !== known) onChange()
      known = version
    } catch (error) {
      log.warn({ err: error }, 'content version cannot be read; pages may be a little old')
    }
  }
  return {
    async upToDate() {
      if (Date.now() - askedAt > POLL_MS) {
        askedAt = Date.now()
        asking = ask()
      }
      await asking
    },
    stop: async () => undefined,
  }
}
