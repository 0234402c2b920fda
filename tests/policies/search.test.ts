import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/database/port.ts'
import type { Caller } from '#server/tokens/caller.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { attempt, ids, openWorld, people, type Who } from './world.ts'

/** A visitor who says to be somebody else; only the role counts. */
const pretender: Caller = { role: 'anon', claims: { role: 'service_role', sub: ids.admin } }

describe('searching', () => {
  let db: Database
  beforeAll(async () => {
    db = await openWorld(openTestDatabase)
  })
  afterAll(() => db.close())

  const ask = async <Row>(who: Who | Caller, sql: string, values: Array<string | null> = []) => {
    const answer = await attempt(db, who, async (tx) => (await tx.query<Row>(sql, values)).rows)
    if ('error' in answer) throw answer.error
    return answer.result
  }
  const found = async (who: Who | Caller, words: string | null) => {
    const rows = await ask<{ title: string }>(who, 'select title from public.search_resources($1)', [words])
    return rows.map(({ title }) => title).toSorted()
  }
  const counted = async (who: Who | Caller, words: string | null) =>
    (await ask<{ n: number }>(who, 'select public.count_resources($1) as n', [words]))[0]?.n

  it.each<[Who, words: string, titles: string[]]>([
    ['visitor', 'open', ['Open']],
    ['visitor', 'FOR ', ['Open']],
    ['visitor', 'secret', []],
    ['visitor', 'for members', []],
    ['visitor', '', ['Open']],
    ['visitor', 'nothing of the kind', []],
    ['anonymous', 'secret', []],
    ['anonymous', 'for ', ['Open']],
    ['member', 'secret', ['Secret']],
    ['member', 'for ', ['Open', 'Secret']],
    ['admin', 'for ', ['Open', 'Secret']],
    ['service', 'for ', ['Open', 'Secret']],
  ])('%s finds for %j: %j, and is told how many', async (who, words, titles) => {
    expect(await found(who, words)).toEqual(titles)
    expect(await counted(who, words)).toBe(titles.length)
  })

  it('a visitor gains nothing by claims of another role', async () => {
    expect(await found(pretender, 'for ')).toEqual(['Open'])
    expect(await counted(pretender, 'for ')).toBe(1)
    expect(await counted(pretender, null)).toBe(1)
  })

  const inner = (name: string) => `select private.${name}('for ', null, null, null, null, 10) as answer`

  it('the functions within, called directly, tell a visitor of public rows only', async () => {
    for (const who of [people.visitor, people.anonymous, pretender]) {
      expect(await ask(who, inner('matching_ids'))).toEqual([{ answer: ids.open }])
      expect(await ask(who, inner('count_matches'))).toEqual([{ answer: 1 }])
    }
    const direct = await attempt(db, 'visitor', (tx) =>
      tx.query("select title from private.matching_resources('for ', null, null, null, null, true)"),
    )
    expect(direct).toMatchObject({ error: { code: '42501' } })
  })

  it('a visitor cannot tell from cost, order or limits that a private row matches too', async () => {
    const first = "select title from public.search_resources('for ', most => 1) order by title desc"
    expect(await ask('visitor', first)).toEqual([{ title: 'Open' }])
    const beyond = "select title from public.search_resources('for ', most => 99) offset 1"
    expect(await ask('visitor', beyond)).toEqual([])
  })

  it.each([
    ['50%_', 'now 50%_ off'],
    ['a.c', 'an a.c here'],
    ['\\', 'back\\slash'],
    ['***:x', 'see ***:x'],
    ['(?i)x', 'or (?i)x'],
    ['[a-z]{2}|^x$', 'is [a-z]{2}|^x$ fine?'],
    ["it's", "it's me"],
    ['ÄRGER', 'Kein Ärger'],
    ['👩‍👧', 'with 👩‍👧'],
  ])('finds %j where it literally stands, in any case', async (words, title) => {
    const isFound = async (text: string) => {
      const answer = await attempt(db, 'service', async (tx) => {
        const add =
          "insert into public.resources (title, description, category) values ($1, $1, 'reading') returning id"
        const { rows } = await tx.query<{ id: string }>(add, [text])
        return (
          await tx.query('select from public.search_resources($1) where id = $2', [words, rows[0]?.id ?? ''])
        ).affected
      })
      return 'result' in answer && answer.result === 1
    }
    expect(await isFound(title)).toBe(true)
    expect(await isFound('abc xy')).toBe(false)
  })

  it('finds exactly what a plain search finds, whatever the text', async () => {
    const text = fc.string({ unit: fc.constantFrom(...'abAB%_\\*.+?()[]{}|^$-"\'é 👩'), maxLength: 12 })
    const pairs = fc.sample(fc.tuple(text, text), 500)
    const differing = await db.asOwner('test', (tx) =>
      tx.query(
        `select hay, needle from json_to_recordset($1) as pairs(hay text, needle text)
         where (hay ~* private.literally(needle)) <> (strpos(lower(hay), lower(needle)) > 0)`,
        [JSON.stringify(pairs.map(([hay, needle]) => ({ hay, needle })))],
      ),
    )
    expect(differing.rows).toEqual([])
  })

  it('a text longer than any search finds nothing', async () => {
    expect([await found('member', 'x'.repeat(201)), await counted('member', 'x'.repeat(201))]).toEqual([
      [],
      0,
    ])
  })
})
