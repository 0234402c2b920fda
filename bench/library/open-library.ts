import { Hono } from 'hono'
import { pino } from 'pino'
import { type Library, serverLibrary } from '#app/session/client/library.ts'
import { migrate } from '#server/database/migrate.ts'
import { openDatabase } from '#server/database/open.ts'
import type { Database } from '#server/database/port.ts'
import { createRest } from '#server/rest/index.ts'
import { makeResource } from './make-resource.ts'

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

/** In an empty database of a PostgreSQL server. */
export async function openInPostgres(url: string, size: number): Promise<OpenLibrary> {
  const db = await openDatabase({ kind: 'postgres', url }, log)
  await migrate(db, log)
  await loadLibrary(db, size)
  const rest = createRest({ db, keys, settings, log, verifyToken: async () => ({}) })
  const protocols = new Hono().route('/rest/v1', rest)
  const fetchRest: typeof fetch = async (input, init) => protocols.fetch(new Request(input, init))
  const visitor = {
    siteUrl,
    apiUrl: siteUrl,
    publishableKey: keys.publishable,
    contactEmail: '',
    earlyAccess: true,
    backups: 'nightly' as const,
  }
  return {
    db,
    library: serverLibrary({ settings: visitor, api: { url: siteUrl, fetch: fetchRest } }),
    ask: (path) => fetchRest(`${siteUrl}/rest/v1${path}`, { headers: { apikey: keys.publishable } }),
    close: () => db.close(),
  }
}

const BATCH = 2000

const ADD = `insert into public.resources
    (id, title, description, category, image_url, date, grade, gender, location, public, article_content, "audioUrl", duration, featured)
  select id, title, description, category, image_url, date, grade, gender, location, public, article_content, "audioUrl", duration, featured
  from json_populate_recordset(null::public.resources, $1::json)`

const SEARCH_INDEXES = `select indexname as name, indexdef as definition from pg_indexes
  where schemaname = 'public' and tablename = 'resources' and indexdef like '%gin%'`

/**
 * Fills an empty library with the first `size` made-up resources and lets the planner count them. The search indexes
 * are built at the end, from all texts at once, which is several times as fast.
 */
export async function loadLibrary(db: Database, size: number): Promise<void> {
  const owner = <Row>(sql: string, values: string[] = []) =>
    db
      .asOwner('made-up library', (tx) => tx.query<Row>(sql, values), { unlimited: true })
      .then(({ rows }) => rows)
  const indexes = await owner<{ name: string; definition: string }>(SEARCH_INDEXES)
  for (const { name } of indexes) await owner(`drop index public.${name}`)
  for (let first = 0; first < size; first += BATCH) {
    const length = Math.min(BATCH, size - first)
    await owner(ADD, [JSON.stringify(Array.from({ length }, (_, n) => makeResource(first + n)))])
  }
  for (const { definition } of indexes) await owner(definition)
  await owner('analyze public.resources')
}
