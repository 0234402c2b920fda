import type { PGlite } from '@electric-sql/pglite'
import { pino } from 'pino'
import { type Library, serverLibrary } from '#app/session/library-client.ts'
import { migrate } from '#server/database/migrate.ts'
import { createDatabase, openDatabase } from '#server/database/open.ts'
import { adaptPglite, createPglite } from '#server/database/pglite.ts'
import type { Database } from '#server/database/port.ts'
import { createRest } from '#server/rest/index.ts'
import { loadLibrary } from './load.ts'

const log = pino({ level: 'silent' })
const keys = { publishable: 'sb_publishable_bench', secret: 'sb_secret_bench' }
const siteUrl = 'http://bench.test'
const settings = { schemas: ['public'], maxRows: 1000, aggregates: false, plans: false }

/** A made-up library behind /rest/v1, asked without a socket, as the site's loaders ask. */
export interface OpenLibrary {
  db: Database
  /** The site's own client, as a visitor. */
  library: Library
  /** A request to /rest/v1 as a visitor. */
  ask(path: string): Promise<Response>
  close(): Promise<void>
}

/** In memory, with the engine itself for questions that go around our server. */
export async function openInPglite(size: number): Promise<OpenLibrary & { engine: PGlite }> {
  const engine = await createPglite('memory://')
  return { engine, ...(await open(createDatabase(adaptPglite(engine), log), size)) }
}

/** In a folder, as the service keeps it. */
export const openInFolder = async (folder: string, size: number): Promise<OpenLibrary> =>
  open(await openDatabase({ kind: 'pglite', folder }, log), size)

/** In an empty database of a PostgreSQL server. */
export const openInPostgres = async (url: string, size: number): Promise<OpenLibrary> =>
  open(await openDatabase({ kind: 'postgres', url }, log), size)

async function open(db: Database, size: number): Promise<OpenLibrary> {
  await migrate(db, log)
  await loadLibrary(db, size)
  const rest = createRest({ db, keys, settings, log, verifyToken: async () => ({}) })
  const fetchRest: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    return rest.fetch(new Request(request.url.replace('/rest/v1', ''), request))
  }
  const visitor = {
    siteUrl,
    apiUrl: siteUrl,
    publishableKey: keys.publishable,
    contactEmail: '',
    earlyAccess: true,
  }
  return {
    db,
    library: serverLibrary({ settings: visitor, api: { url: siteUrl, fetch: fetchRest } }),
    ask: (path) => fetchRest(`${siteUrl}/rest/v1${path}`, { headers: { apikey: keys.publishable } }),
    close: () => db.close(),
  }
}
