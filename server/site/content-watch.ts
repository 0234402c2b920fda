import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database, Loss, Transaction } from '#server/database/port.ts'

/** Tells when the library has changed, so that rendered pages can be dropped. */
export interface ContentWatch {
  /** To be awaited before a cached page is used, if it gives anything: it does not where changes are announced by themselves. */
  upToDate(): Promise<void> | undefined
  /** To be awaited after a change of one's own, before it is acknowledged: whoever made it sees it at once. */
  seeOwnChange(): Promise<void>
  stop(): Promise<void>
}

/** Who keeps what was rendered. */
export interface ContentObserver {
  /** The library changed: all that was rendered is out of date. */
  expire(): void
  /** Something was made private or deleted: nothing that was rendered may be shown again. */
  purge(): void
  /** From now on changes may happen unseen, until `trust`. With `isServerDown` none has happened until now. */
  doubt(loss: Loss): void
  /** Changes are seen again, and those that were missed have been told. */
  trust(): void
}

/** Tells two observers the same. */
export const bothObservers = (one: ContentObserver, other: ContentObserver): ContentObserver => ({
  expire() {
    one.expire()
    other.expire()
  },
  purge() {
    one.purge()
    other.purge()
  },
  doubt(loss) {
    one.doubt(loss)
    other.doubt(loss)
  },
  trust() {
    one.trust()
    other.trust()
  },
})

/** Both rise: with each change, and with each that took something from the visitors' view. */
export interface ContentVersion {
  version: number
  removal: number
}

/** Compares versions as they come, and tells what to do with what was rendered. */
function follower(observer: ContentObserver) {
  let known: ContentVersion | undefined
  /** `onlyNewer`: what was read may have been overtaken by what was announced meanwhile. */
  return (next: ContentVersion, { onlyNewer = false } = {}) => {
    const before = known
    if (onlyNewer && before && next.version <= before.version) return
    known = next
    if (!before) return
    // A number that falls belongs to another life of the database.
    if (next.removal !== before.removal || next.version < before.version) observer.purge()
    else if (next.version !== before.version) observer.expire()
  }
}

const RETRY_MS = 250

/**
 * Embedded: the database announces each change to every process. After a gap in listening the version tells what was
 * missed. Errors: DatabaseUnavailable.
 */
export async function watchDatabase(db: Database, observer: ContentObserver): Promise<ContentWatch> {
  const follow = follower(observer)
  let isListening = true
  let told = 0

  const onPayload = (payload: string) => {
    const [, version, removal] = /^(\d+) (\d+)$/.exec(payload) ?? []
    told++
    // Somebody else's words: anything may have happened.
    if (version === undefined) observer.purge()
    else follow({ version: Number(version), removal: Number(removal) })
  }
  const catchUp = async () => {
    for (isListening = true; isListening; await pause(RETRY_MS, undefined, { ref: false })) {
      const before = told
      const version = await db
        .asOwner('content version', readVersion, { single: true })
        .catch(() => undefined)
      // What was announced meanwhile may be newer than what was read.
      if (version === undefined || told !== before) continue
      follow(version)
      if (isListening) observer.trust()
      return
    }
  }
  const onLost = (loss: Loss) => {
    isListening = false
    observer.doubt(loss)
  }
  const stop = await db.listen('content_changed', onPayload, () => void catchUp(), onLost)
  await catchUp()
  return {
    upToDate: () => undefined,
    async seeOwnChange() {
      // Should it not be readable now, the announcement tells a moment later.
      const version = await db
        .asOwner('content version', readVersion, { single: true })
        .catch(() => undefined)
      if (version) follow(version, { onlyNewer: true })
    },
    stop() {
      isListening = false
      return stop()
    },
  }
}

async function readVersion(tx: Transaction): Promise<ContentVersion> {
  const { rows } = await tx.query<ContentVersion>(
    'select version, removal_version as removal from public.content_version',
  )
  return rows[0] ?? { version: 0, removal: 0 }
}

const POLL_MS = 3_000

/** Hosted: asks the project for the content version, at most every few seconds, one question at a time. */
export function watchHosted(
  readHosted: () => Promise<ContentVersion>,
  observer: ContentObserver,
  log: Logger,
): ContentWatch {
  const follow = follower(observer)
  let askedAt = 0
  let asking: Promise<void> | undefined

  const ask = async () => {
    try {
      follow(await readHosted())
      observer.trust()
    } catch (error) {
      observer.doubt({ isServerDown: false })
      log.warn({ err: error }, 'content version cannot be read; pages may be a little old')
    }
  }
  return {
    upToDate() {
      if (Date.now() - askedAt > POLL_MS) {
        askedAt = Date.now()
        asking = ask().finally(() => {
          asking = undefined
        })
      }
      return asking
    },
    // The project acknowledges changes by itself.
    seeOwnChange: async () => undefined,
    stop: async () => undefined,
  }
}
