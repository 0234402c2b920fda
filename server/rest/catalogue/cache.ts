import type { Logger } from 'pino'
import { DatabaseUnavailable } from '#server/database/errors.ts'
import type { Database } from '#server/database/port.ts'
import { restErrors } from '../errors.ts'
import { loadCatalogue } from './load.ts'
import type { Catalogue } from './types.ts'

/** PostgREST's channel: `notify pgrst, 'reload schema'` after a migration; an empty message means the same. */
const CHANNEL = 'pgrst'
const RELOAD = new Set(['', 'reload schema'])

export type CatalogueCache = () => Promise<Catalogue>

/**
 * Keeps the catalogue: read at the first request, and again after a notification that it changed. Requests that
 * come meanwhile wait for the same reading. Errors: PGRST002 while the database cannot be reached.
 */
export function createCatalogueCache(db: Database, schemas: readonly string[], log: Logger): CatalogueCache {
  let current: Promise<Catalogue> | undefined
  let listening: Promise<unknown> | undefined

  const forget = () => {
    current = undefined
  }
  const onMessage = (message: string) => {
    if (!RELOAD.has(message)) return
    log.info('the catalogue of /rest/v1 will be read again')
    forget()
  }
  const load = async (): Promise<Catalogue> => {
    try {
      // Listening comes first, so that no change can fall between the reading and the listening.
      listening ??= db.listen(CHANNEL, onMessage, forget)
      await listening.catch((error) => {
        listening = undefined
        throw error
      })
      return await db.asOwner('read the catalogue of /rest/v1', (tx) => loadCatalogue(tx, schemas))
    } catch (error) {
      forget()
      if (error instanceof DatabaseUnavailable) throw restErrors.catalogueGone()
      // Whatever the database said of our own question, it is no answer to the client's.
      throw new Error('The catalogue of /rest/v1 cannot be read', { cause: error })
    }
  }
  return () => {
    current ??= load()
    return current
  }
}
