import { PGlite } from '@electric-sql/pglite'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { searchPattern } from './search-pattern.ts'

let database: PGlite
beforeAll(async () => {
  database = await PGlite.create()
})
afterAll(() => database.close())

const isFound = async (search: string, text: string) => {
  const { rows } = await database.query<{ found: boolean }>('select $1::text ~* $2 as found', [
    text,
    searchPattern(search),
  ])
  return rows[0]?.found
}

describe('searchPattern, in PostgreSQL itself', () => {
  it.each([
    '%',
    '_',
    '\\',
    '*',
    '***:x',
    '***=x',
    '(?i)x',
    "it's",
    '"quoted"',
    '(a|b)',
    '[a-z]',
    '{2}',
    'a.b',
    '^x$',
    'what?',
    '1+1',
    '\\d',
    '\\',
    'ends with \\',
    '👩‍👧 emoji',
    'zwei\nZeilen',
    '-',
  ])('finds %j where it literally stands', async (search) => {
    expect(await isFound(search, `before ${search} after`)).toBe(true)
    expect(await isFound(search, 'nothing of the kind')).toBe(false)
  })

  it('does not care about case', async () =>
    expect(await isFound('SLEEP?', 'Can they sleep? Yes')).toBe(true))

  it('does not let one character stand for another', async () => {
    expect(await isFound('a.c', 'abc')).toBe(false)
    expect(await isFound('a_c', 'abc')).toBe(false)
    expect(await isFound('.*', 'abc')).toBe(false)
  })

  it('finds exactly what a plain search finds, whatever the text', async () => {
    const text = fc.string({
      unit: fc.constantFrom(...'abAB%_\\*.+?()[]{}|^$-"\'é 👩'),
      maxLength: 12,
    })
    await fc.assert(
      fc.asyncProperty(text, text, async (search, hay) => {
        const { rows } = await database.query<{ at: number }>('select strpos(lower($1), lower($2)) as at', [
          hay,
          search,
        ])
        expect(await isFound(search, hay)).toBe((rows[0]?.at ?? 0) > 0)
      }),
      { numRuns: 300 },
    )
  })
})
