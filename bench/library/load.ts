import type { Database } from '#server/database/port.ts'
import { makeResource } from './make-resource.ts'

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
