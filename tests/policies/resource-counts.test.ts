import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadLibrary } from '#bench/library/open-library.ts'
import type { Database } from '#server/database/port.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { attempt, outcomeOf, people, type Who } from './world.ts'

describe('the counts of a listing', () => {
  let db: Database
  beforeAll(async () => {
    db = await openTestDatabase()
    await loadLibrary(db, 700)
  })
  afterAll(() => db.close())

  const owner = (sql: string) => db.asOwner('test', (tx) => tx.query(sql))
  const ask = async (who: Who, sql: string) => (await db.asCaller(people[who], (tx) => tx.query(sql))).rows

  const narrowings: Array<[args: string, where: string]> = [
    ['', ''],
    ["of_category => 'podcast'", "where category = 'podcast'"],
    ['in_grade => 9::smallint', 'where grade_low <= 9 and grade_high >= 9'],
    ["of_genders => '{female,all}'", "where gender in ('female', 'all')"],
    ["at_location => 'Berlin'", "where location = 'Berlin'"],
    [
      "of_category => 'webinar', in_grade => 6::smallint, of_genders => '{all}', at_location => 'Oakland'",
      "where category = 'webinar' and grade_low <= 6 and grade_high >= 6 and gender = 'all' and location = 'Oakland'",
    ],
    ["words => 'friendship'", "where title ~* 'friendship' or description ~* 'friendship'"],
    [
      "words => 'GRIEF', of_category => 'reading'",
      "where category = 'reading' and (title ~* 'grief' or description ~* 'grief')",
    ],
  ]

  it.each(
    narrowings.flatMap((narrowing) =>
      (['visitor', 'anonymous', 'member'] as const).map((who) => [who, ...narrowing] as const),
    ),
  )('tell %s what counting would, for %j', async (who, args, where) => {
    const [kept] = await ask(who, `select public.count_resources(${args}) as n`)
    expect(kept).toEqual((await ask(who, `select count(*) as n from public.resources ${where}`))[0])
  })

  it('end at 301 for a search, which goes on', async () => {
    const counted = "select public.count_resources(words => 'with') as n"
    const found = "select count(*) as n from public.search_resources('with', most => 9999)"
    const all = "select count(*) as n from public.resources where title ~* 'with' or description ~* 'with'"
    expect(await ask('member', counted)).toEqual([{ n: 301 }])
    expect(await ask('member', found)).toEqual(await ask('member', all))
  })

  it('name the places that the caller may see', async () => {
    await owner(
      "update public.resources set location = 'Hidden Valley', public = false where category = 'session'",
    )
    const places = 'select place from public.resource_locations() as place'
    expect(await ask('visitor', places)).not.toContainEqual({ place: 'Hidden Valley' })
    expect(await ask('member', places)).toContainEqual({ place: 'Hidden Valley' })
  })

  it.each([
    "insert into public.resources (title, description, category, public) select 't', 'd', 'session', n % 2 = 0 from generate_series(1, 9) n",
    'update public.resources set public = not public',
    "update public.resources set grade = null, location = 'Here' where category = 'webinar'",
    "update public.resources set title = 'x'",
    "delete from public.resources where category = 'podcast'",
    'truncate public.resources',
  ])('are exact after: %s', async (change) => {
    await owner(change)
    const differing = `
      (select category, public, grade_low, grade_high, gender, location, count(*) from public.resources group by 1, 2, 3, 4, 5, 6
       except all table public.resource_counts)
      union all
      (table public.resource_counts
       except all select category, public, grade_low, grade_high, gender, location, count(*) from public.resources group by 1, 2, 3, 4, 5, 6)`
    expect((await owner(differing)).rows).toEqual([])
  })

  it.each(['visitor', 'member', 'admin'] as const)('cannot be changed by a %s', async (who) => {
    for (const change of ['delete from', 'update', 'truncate']) {
      const sql = `${change} public.resource_counts ${change === 'update' ? 'set resources = 0' : ''}`
      expect(await outcomeOf(db, who, sql)).toBe('refused')
    }
  })

  it('go back with a change that is undone', async () => {
    const n = () => ask('member', 'select public.count_resources() as n')
    const before = await n()
    await attempt(db, 'service', (tx) =>
      tx.query("insert into public.resources (title, description, category) values ('t', 'd', 'reading')"),
    )
    expect(await n()).toEqual(before)
  })
})
