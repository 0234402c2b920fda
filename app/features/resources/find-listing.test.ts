import { describe, expect, it } from 'vitest'
import { serverLibrary } from '#app/session/library-client.ts'
import { maxSearchLength, parseListing } from '#domain/listing.ts'
import { findListing, findLocations } from './find-listing.ts'
import { LibraryFailed } from './library-failed.ts'

const settings = {
  siteUrl: 'https://site.example',
  apiUrl: 'https://site.example',
  publishableKey: 'sb_publishable_x',
  contactEmail: 'hello@example.org',
  earlyAccess: true,
}

type Answer = () => Response

const page = (rows: object[], range: string) => () =>
  Response.json(rows, { status: 200, headers: { 'content-range': range } })
const outOfRange = () =>
  Response.json(
    { code: 'PGRST103', message: 'Requested range not satisfiable', details: null, hint: null },
    { status: 416 },
  )

/** A library that writes down what it is asked and gives the answers in their turn. */
function recorded(...answers: Answer[]) {
  const asked: { method: string; url: URL; headers: Headers }[] = []
  const answer: typeof fetch = async (input, init) => {
    asked.push({
      method: init?.method ?? 'GET',
      url: new URL(String(input)),
      headers: new Headers(init?.headers),
    })
    return (answers.shift() ?? page([], '*/0'))()
  }
  return { asked, library: serverLibrary({ settings, api: { url: settings.apiUrl, fetch: answer } }) }
}

async function askedFor(search: string, category?: 'reading') {
  const { asked, library } = recorded()
  await findListing(library, parseListing(new URLSearchParams(search), category))
  return asked[0]?.url.searchParams
}

describe('findListing asks', () => {
  it('with the publishable key, for public rows, in the order of every listing, counted', async () => {
    const { asked, library } = recorded()
    await findListing(library, parseListing(new URLSearchParams()))
    const [{ url, headers, method } = expect.fail()] = asked
    expect(method).toBe('GET')
    expect(url.pathname).toBe('/rest/v1/resources')
    expect(headers.get('apikey')).toBe('sb_publishable_x')
    expect(headers.get('prefer')).toBe('count=exact')
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      public: 'eq.true',
      order: 'featured.desc,date.desc,title.asc,id.asc',
      offset: '0',
      limit: '8',
    })
  })

  it('never for the body of an article', async () => {
    const select = (await askedFor(''))?.get('select')
    expect(select).toContain('title')
    expect(select).not.toMatch(/article_content|\*/)
  })

  it('for the rows of the page', async () => {
    expect(Object.fromEntries((await askedFor('page=3&size=12')) ?? [])).toMatchObject({
      offset: '24',
      limit: '12',
    })
  })

  it.each([
    ['', 'category', null],
    ['grade=9', 'grade_low', 'lte.9'],
    ['grade=9', 'grade_high', 'gte.9'],
    ['gender=female', 'gender', 'in.(female,all)'],
    ['gender=all', 'gender', 'in.(all)'],
    ['location=New York, NY (USA)', 'location', 'eq.New York, NY (USA)'],
  ])('%j as %s=%s', async (search, name, value) => {
    expect((await askedFor(search))?.get(name)).toBe(value)
  })

  it('for the category of the path', async () => {
    expect((await askedFor('', 'reading'))?.get('category')).toBe('eq.reading')
  })

  it.each([
    ['sleep', 'sleep'],
    ['50%_*', String.raw`50%_\\*`],
    ['a\\b', String.raw`a\\\\b`],
    ['say "no"', String.raw`say \"no\"`],
    ['a,b(c)', String.raw`a,b\\(c\\)`],
    ['🧒🏽', '🧒🏽'],
  ])('for the words %j literally, in title or description', async (words, pattern) => {
    const search = new URLSearchParams({ q: words })
    expect((await askedFor(String(search)))?.get('or')).toBe(
      `(title.imatch."${pattern}",description.imatch."${pattern}")`,
    )
  })

  it('nothing when no text could match', async () => {
    const { asked, library } = recorded()
    const query = parseListing(new URLSearchParams({ q: 'x'.repeat(maxSearchLength + 1) }))
    expect(await findListing(library, query)).toEqual({ resources: [], total: 0, page: 1, pages: 1 })
    expect(asked).toEqual([])
  })
})

describe('findListing gives', () => {
  const query = (search: string) => parseListing(new URLSearchParams(search))
  const row = { id: '1', title: 'Sleep' }

  it('the rows, their total and the number of pages', async () => {
    const { library } = recorded(page([row], '8-8/9'))
    expect(await findListing(library, query('page=2'))).toEqual({
      resources: [row],
      total: 9,
      page: 2,
      pages: 2,
    })
  })

  it.each([
    ['refused', outOfRange],
    ['empty', page([], '*/9')],
  ])('the last page for one that lies behind it (%s)', async (_, answer) => {
    const { asked, library } = recorded(answer, page([], '*/9'), page([row], '8-8/9'))
    expect(await findListing(library, query('page=7'))).toMatchObject({ resources: [row], page: 2, pages: 2 })
    expect(asked.map(({ method }) => method)).toEqual(['GET', 'HEAD', 'GET'])
    expect(asked[2]?.url.searchParams.get('offset')).toBe('8')
  })

  it('page 1 of nothing when a later page of nothing is asked for', async () => {
    const { library } = recorded(outOfRange, page([], '*/0'), page([], '*/0'))
    expect(await findListing(library, query('page=7'))).toEqual({
      resources: [],
      total: 0,
      page: 1,
      pages: 1,
    })
  })

  it.each([
    ['an error', () => Response.json({ message: 'no database' }, { status: 503 })],
    ['no JSON', () => new Response('<h1>Bad gateway</h1>', { status: 502 })],
    [
      'nothing at all',
      () => {
        throw new TypeError('fetch failed')
      },
    ],
  ])('LibraryFailed at once when the API answers %s', async (_, answer) => {
    const { asked, library } = recorded(answer)
    await expect(findListing(library, query(''))).rejects.toThrow(LibraryFailed)
    expect(asked).toHaveLength(1)
  })
})

describe('findLocations', () => {
  it.each([
    [undefined, null],
    ['podcast' as const, 'podcast'],
  ])('asks the database function with the category %s', async (category, argument) => {
    const { asked, library } = recorded(() => Response.json(['California']))
    expect(await findLocations(library, category)).toEqual(['California'])
    expect(asked[0]?.method).toBe('GET')
    expect(asked[0]?.url.pathname).toBe('/rest/v1/rpc/resource_locations')
    expect(asked[0]?.url.searchParams.get('of_category')).toBe(argument)
  })
})
