import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findListing, findLocations } from '#app/features/resources/find-listing.ts'
import { findRelated, findResource } from '#app/features/resources/find-resource.ts'
import { type Library, serverLibrary } from '#app/session/client/library.ts'
import { parseListing } from '#domain/listing.ts'
import { isCategory } from '#domain/resource.ts'
import type { Database } from '#server/database/port.ts'
import { createRest } from '#server/rest/index.ts'
import { TokenRefused } from '#server/tokens/authenticate.ts'
import { openTestDatabase } from '#tests/support/databases.ts'

const keys = { publishable: 'sb_publishable_library_test', secret: 'sb_secret_library_test' }
const siteUrl = 'http://site.test'
const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

/** What every hostile search must find: itself, and nothing else. */
const hostile = [
  '%',
  '_',
  '\\',
  '*',
  '.',
  '"',
  "'",
  "'; drop table resources; --",
  'a,b',
  'a.b(c)',
  ')',
  '(?i)x',
  '***=x',
  '[a-z]',
  '{2}',
  '^start',
  'end$',
  'x|y',
  'a&b=c#d',
  '🧒🏽👩‍👧',
  'naïve Ünï',
  'line\nbreak',
  '\\d\\m',
  'title.imatch."x"',
  '",title.neq."',
]

interface Fields {
  [column: string]: string | number | boolean | null
}

const rows: Fields[] = [
  { id: id(1), title: 'Sleep for teens', grade: '7-12', date: '2026-03-01', location: 'California' },
  {
    id: id(2),
    title: 'First phone',
    description: 'When they SLEEP at last',
    grade: 'K-5',
    date: '2026-03-02',
  },
  {
    id: id(3),
    title: 'Puberty for girls',
    gender: 'female',
    grade: '4-8',
    date: '2026-03-03',
    location: 'Ohio',
  },
  {
    id: id(4),
    title: 'Puberty for boys',
    gender: 'male',
    grade: '4-8',
    date: '2026-03-04',
    location: 'Ohio',
  },
  { id: id(5), title: 'Coming out', gender: 'other', grade: '6', date: '2026-03-05' },
  { id: id(6), title: 'Money', grade: null, gender: '', date: '2026-03-06', location: 'New York, NY (USA)' },
  { id: id(7), title: 'Featured and old', featured: true, date: '2020-01-01' },
  { id: id(8), title: 'B on one day', date: '2026-03-07' },
  { id: id(9), title: 'A on one day', date: '2026-03-07' },
  { id: id(10), title: 'Secret sleep', public: false, date: '2026-04-01', location: 'Hidden' },
  { id: id(11), title: 'A short talk', category: 'podcast', date: '2026-03-08', location: 'Texas' },
]

describe('the library', () => {
  let db: Database
  let library: Library

  beforeAll(async () => {
    db = await openTestDatabase()
    await add(rows)
    await add(hostile.map((title) => ({ id: randomUUID(), category: 'community', title: `<${title}>` })))
    const api = new Hono().route(
      '/rest/v1',
      createRest({ db, keys, settings: restSettings, verifyToken, log }),
    )
    const settings = {
      siteUrl,
      apiUrl: siteUrl,
      publishableKey: keys.publishable,
      contactEmail: '',
      earlyAccess: true,
      backups: 'nightly' as const,
    }
    library = serverLibrary({
      settings,
      api: { url: siteUrl, fetch: async (...args) => api.fetch(new Request(...args)) },
    })
  })
  afterAll(() => db.close())

  async function add(resources: Fields[]) {
    for (const fields of resources) {
      const row: Fields = {
        description: 'Plain.',
        category: 'reading',
        gender: 'all',
        grade: 'K-12',
        ...fields,
      }
      const names = Object.keys(row).map((name) => `"${name}"`)
      const places = names.map((_, index) => `$${index + 1}`)
      await db.asOwner('a resource of the test', (tx) =>
        tx.query(`insert into public.resources (${names}) values (${places})`, Object.values(row)),
      )
    }
  }

  const listing = (search: string, category = 'reading') =>
    findListing(
      library,
      parseListing(new URLSearchParams(search), isCategory(category) ? category : undefined),
    )
  const titles = async (search: string, category?: string) =>
    (await listing(search, category)).resources.map(({ title }) => title)

  it('shows public resources, the featured and the newest first, then by title', async () => {
    expect(await titles('')).toEqual([
      'Featured and old',
      'A on one day',
      'B on one day',
      'Money',
      'Coming out',
      'Puberty for boys',
      'Puberty for girls',
      'First phone',
    ])
  })

  it('counts all of them, and pages without overlap', async () => {
    const [first, second, third] = await Promise.all([1, 2, 3].map((page) => listing(`page=${page}&size=4`)))
    expect([first?.total, first?.pages, third?.resources.length]).toEqual([9, 3, 1])
    const ids = [first, second, third].flatMap((page) => page?.resources.map((resource) => resource.id))
    expect(new Set(ids).size).toBe(9)
  })

  it.each(['page=4&size=4', 'page=99999&size=48', 'page=2'])('shows the last page for %s', async (search) => {
    const shown = await listing(search)
    expect(shown).toMatchObject({ page: shown.pages, total: 9 })
    expect(shown.resources.at(-1)?.title).toBe('Sleep for teens')
  })

  it('is empty without an error where there is nothing, on every page', async () => {
    const nothing = { resources: [], total: 0, more: false, page: 1, pages: 1 }
    expect(await listing('', 'webinar')).toEqual(nothing)
    expect(await listing('page=3', 'webinar')).toEqual(nothing)
  })

  it('finds words in title or description, in any case, never in private resources', async () => {
    expect(await titles('q=sLEEp', 'all')).toEqual(['First phone', 'Sleep for teens'])
  })

  it.each(hostile)('finds what %j literally says', async (words) => {
    const search = new URLSearchParams({ q: `<${words}>` })
    expect(await titles(String(search), 'community')).toEqual([`<${words}>`])
  })

  it('finds nothing, without an error, for 10,000 characters', async () => {
    expect(await listing(`q=${'%25'.repeat(10_000)}`)).toMatchObject({ total: 0 })
  })

  it.each([
    [
      6,
      [
        'Featured and old',
        'A on one day',
        'B on one day',
        'Coming out',
        'Puberty for boys',
        'Puberty for girls',
      ],
    ],
    [9, ['Featured and old', 'A on one day', 'B on one day', 'Sleep for teens']],
  ])('contains grade %i, where a missing grade never does', async (grade, expected) => {
    expect(await titles(`grade=${grade}`)).toEqual(expected)
  })

  it('takes the gender or all; an empty gender is neither', async () => {
    const shown = await titles('gender=female&size=48')
    expect(shown).toContain('Puberty for girls')
    expect(shown).toContain('First phone')
    expect(shown).not.toContain('Puberty for boys')
    expect(shown).not.toContain('Money')
  })

  it('takes a location exactly', async () => {
    expect(await titles('location=Ohio')).toEqual(['Puberty for boys', 'Puberty for girls'])
    expect(await titles(String(new URLSearchParams({ location: 'New York, NY (USA)' })))).toEqual(['Money'])
    expect(await titles('location=ohio')).toEqual([])
  })

  it('narrows by everything at once', async () => {
    expect(await titles('q=puberty&grade=7&gender=male&location=Ohio')).toEqual(['Puberty for boys'])
  })

  it('never carries the body of an article', async () => {
    expect(Object.keys((await listing('')).resources[0] ?? {})).not.toContain('article_content')
  })

  it('offers the locations of public resources, all or of one category', async () => {
    expect(await findLocations(library, undefined)).toEqual([
      'California',
      'New York, NY (USA)',
      'Ohio',
      'Texas',
    ])
    expect(await findLocations(library, 'podcast')).toEqual(['Texas'])
  })

  it('opens a public resource with its body, and neither a private nor an unknown one', async () => {
    expect(await findResource(library, id(1))).toMatchObject({
      title: 'Sleep for teens',
      article_content: null,
    })
    expect(await findResource(library, id(1).toUpperCase())).toMatchObject({ title: 'Sleep for teens' })
    expect(await findResource(library, id(10))).toBeNull()
    expect(await findResource(library, id(999))).toBeNull()
  })

  it('knows three others of the same kind', async () => {
    const found = await findResource(library, id(7))
    const related = found ? await findRelated(library, found) : []
    expect(related.map(({ title }) => title)).toEqual(['A on one day', 'B on one day', 'Money'])
  })
})

const restSettings = { schemas: ['public'], maxRows: 1000, aggregates: false, plans: false }
const log = pino({ level: 'silent' })
const verifyToken = async (): Promise<never> => {
  throw new TokenRefused('There are no accounts in this test')
}
