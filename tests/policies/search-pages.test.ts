import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { summaryColumns } from '#domain/resource.ts'
import type { Database } from '#server/database/port.ts'
import type { Caller } from '#server/tokens/caller.ts'
import { openTestDatabase } from '#tests/support/databases.ts'

const visitor: Caller = { role: 'anon', claims: { role: 'anon' } }
const member: Caller = { role: 'authenticated', claims: { role: 'authenticated', sub: crypto.randomUUID() } }

/** 4,000 resources, one in eight private, with words that stand in every one, in one of 2, 5, 20, 50, 200 and 2,000, and in old ones alone. */
const LIBRARY = `
  insert into public.resources (title, description, category, date, public, grade, gender, location)
  select concat_ws(' ', 'Part', n, case when n % 2 = 0 then 'halves' end, case when n % 5 = 0 then 'fifths' end),
    concat_ws(' ', 'Every text. ', case when n % 20 = 3 then 'Twentieths' end, case when n % 50 = 7 then 'fiftieths' end,
      case when n % 200 = 9 then 'hundreds' end, case when n % 2000 = 11 then 'thousands' end, case when n > 3500 then 'bygone' end,
      case when n <= 150 then 'novel' end),
    case when n % 9 = 0 then 'webinar' else 'reading' end, date '2026-01-01' - n / 3, n % 8 <> 0,
    case when n % 3 = 0 then '6-8' else 'K-12' end, case when n % 4 = 0 then 'female' else 'all' end,
    case when n % 100 = 1 then 'Lyon' end
  from generate_series(1, 4000) n`

describe('a page of a search', () => {
  let db: Database
  beforeAll(async () => {
    db = await openTestDatabase()
    await db.asOwner('test', (tx) => tx.script(`${LIBRARY}; analyze public.resources`))
  })
  afterAll(() => db.close())

  interface Page {
    total: number
    resources: Array<Record<string, unknown>>
  }
  const searched = async (caller: Caller, args: string): Promise<Page> => {
    const { rows } = await db.asCaller(caller, (tx) =>
      tx.query<{ page: Page }>(`select public.search_page(${args}) as page`),
    )
    return rows[0]?.page ?? expect.fail()
  }
  /** What reading everything finds. */
  const plain = async (caller: Caller, words: string, where: string) => {
    const { rows } = await db.asCaller(caller, (tx) =>
      tx.query<{ id: string }>(
        `select id from public.resources where (title ilike $1 or description ilike $1) and ${where}
         order by featured desc, date desc, title, id`,
        [`%${words}%`],
      ),
    )
    return rows.map(({ id }) => id)
  }

  const filters: Array<[args: string, where: string]> = [
    ['', 'true'],
    [", of_category => 'webinar'", "category = 'webinar'"],
    [
      ", in_grade => 7::smallint, of_genders => '{all}'",
      "grade_low <= 7 and grade_high >= 7 and gender = 'all'",
    ],
    [", at_location => 'Lyon'", "location = 'Lyon'"],
  ]
  const words = [
    'every',
    'halves',
    'FIFTHS',
    'twentieths',
    'fiftieths',
    'hundreds',
    'thousands',
    'bygone',
    'novel',
  ]
  const others = ['nowhere', 'al', '0', '.', 'part 39']

  it.each([...words, ...others])('finds %s as reading everything does, with every filter', async (text) => {
    for (const caller of [visitor, member]) {
      for (const [args, where] of filters) {
        const all = await plain(caller, text, where)
        for (const [page, size] of [
          [1, 12],
          [3, 24],
          [40, 48],
        ] as const) {
          const found = await searched(caller, `'${text}'${args}, page => ${page}, size => ${size}`)
          expect(found.total, args).toBe(Math.min(all.length, 301))
          const expected = all.slice((page - 1) * size, page * size)
          expect(
            found.resources.map(({ id }) => id),
            `${args} page ${page}`,
          ).toEqual(expected)
        }
      }
    }
  })

  it('shows what a listing shows of a resource', async () => {
    const { resources } = await searched(visitor, "'thousands'")
    expect(Object.keys(resources[0] ?? {})).toEqual(summaryColumns.split(','))
    const { rows } = await db.asCaller(visitor, (tx) =>
      tx.query<{ row: object }>(
        `select to_json(r) as row from (select * from public.resources where id = '${resources[0]?.id}') r`,
      ),
    )
    expect(rows[0]?.row).toMatchObject(resources[0] ?? {})
  })

  it('ends after the first 3,000, and is never longer than 100', async () => {
    expect((await searched(member, "'every', page => 30, size => 100")).resources).toHaveLength(100)
    expect((await searched(member, "'every', page => 31, size => 100")).resources).toEqual([])
    expect((await searched(member, "'every', size => 5000")).resources).toHaveLength(100)
    expect((await searched(member, "'every', page => -1, size => 0")).resources).toHaveLength(1)
  })
})
