import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from '#server/tokens/caller.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import type { Database } from './port.ts'

const member: Caller = { role: 'authenticated', claims: { sub: '00000000-0000-4000-8000-000000000001' } }

describe('a large library', () => {
  let db: Database
  beforeAll(async () => {
    db = await openTestDatabase()
    await db.asOwner('test', (tx) =>
      tx.script(`
        insert into public.resources (title, description, category, date)
        select md5(n::text), repeat(md5(n::text) || ' ', 8), case when n % 50 = 0 then 'podcast' else 'reading' end, current_date - n % 1000
        from generate_series(1, 5000) n;
        analyze public.resources`),
    )
  })
  afterAll(() => db.close())

  const planOf = async (sql: string): Promise<string> => {
    const { rows } = await db.asCaller(member, (tx) => tx.query<Record<string, string>>(`explain ${sql}`))
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }

  it('is searched by index, without waiting for a vacuum', async () => {
    // As the functions of search do: they act as the owner.
    const { rows } = await db.asOwner('test', (tx) =>
      tx.query<Record<string, string>>(`explain select id
        from private.matching_resources('screens', null, null, null, null, false)
        order by featured desc, date desc, title, id limit 8`),
    )
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toContain('Bitmap Index Scan on resources_title_search')
    expect(plan).toContain('Bitmap Index Scan on resources_description_search')
  })

  it.each([
    ['resources_listing', ''],
    ['resources_category_listing', "where category = 'podcast'"],
    ['resources_location_listing', "where public and location = 'Berlin'"],
  ])('is listed in the order of %s, without sorting', async (index, where) => {
    const plan = await planOf(
      `select id from public.resources ${where} order by featured desc, date desc, title, id limit 12`,
    )
    expect(plan).toContain(`using ${index}`)
    expect(plan).not.toContain('Sort')
  })
})
