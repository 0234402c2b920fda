import { describe, expect, it } from 'vitest'
import { serverLibrary } from '#app/session/client/library.ts'
import { maxSearchLength, mostCounted, mostFound, parseListing } from '#domain/listing.ts'
import { findListing, findLocations } from './find-listing.ts'
import { LibraryFailed } from './library.ts'

const settings = {
  siteUrl: 'https://site.example',
  apiUrl: 'https://site.example',
  publishableKey: 'sb_publishable_x',
  contactEmail: 'hello@example.org',
  earlyAccess: true,
  backups: 'nightly' as const,
}

type Answer = (url: URL) => Response

/** Numbers stand for 0…: a library of as many resources, of which it gives those that are asked for. */
const numbered = (total: number, url: URL): number[] => {
  const order = Array.from({ length: total }, (_, n) => n)
  if (url.searchParams.get('order')?.startsWith('featured.asc')) order.reverse()
  const from = Number(url.searchParams.get('offset'))
  return order.slice(from, from + Number(url.searchParams.get('limit')))
}

/** The same for a search, which is asked for its pages by number. */
const paged = (total: number, { searchParams }: URL): number[] => {
  const size = Number(searchParams.get('size'))
  const first = (Number(searchParams.get('page')) - 1) * size
  return Array.from({ length: total }, (_, n) => n).slice(first, first + size)
}

/** A library that writes down what it is asked and answers it: with so many resources, or in another way. */
function recorded(holds: number | Answer = 0) {
  const asked: { method: string; url: URL; headers: Headers }[] = []
  const answer: typeof fetch = async (input, init) => {
    asked.push({
      method: init?.method ?? 'GET',
      url: new URL(String(input)),
      headers: new Headers(init?.headers),
    })
    const url = new URL(String(input))
    if (typeof holds === 'function') return holds(url)
    return Response.json(url.pathname.endsWith('/count_resources') ? holds : numbered(holds, url))
  }
  return { asked, library: serverLibrary({ settings, api: { url: settings.apiUrl, fetch: answer } }) }
}

const query = (search = '', category?: 'reading') => parseListing(new URLSearchParams(search), category)

/** What a listing asks for its rows and for their number. */
async function askedFor(search: string, category?: 'reading') {
  const { asked, library } = recorded()
  await findListing(library, query(search, category))
  const [counted = expect.fail(), rows = expect.fail()] = asked.map(({ url }) => url)
  return { rows, counted }
}

describe('findListing asks', () => {
  it('with the publishable key, for public rows, in the order of every listing', async () => {
    const { asked, library } = recorded()
    await findListing(library, query())
    const [, { url, headers, method } = expect.fail()] = asked
    expect(method).toBe('GET')
    expect(url.pathname).toBe('/rest/v1/resources')
    expect(headers.get('apikey')).toBe('sb_publishable_x')
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      public: 'eq.true',
      order: 'featured.desc,date.desc,title.asc,id.asc',
      offset: '0',
      limit: '8',
    })
  })

  it('never for the body of an article', async () => {
    const select = (await askedFor('')).rows.searchParams.get('select')
    expect(select).toContain('title')
    expect(select).not.toMatch(/article_content|\*/)
  })

  it('for the rows of the page', async () => {
    expect(Object.fromEntries((await askedFor('page=3&size=12')).rows.searchParams)).toMatchObject({
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
    expect((await askedFor(search)).rows.searchParams.get(name)).toBe(value)
  })

  it('for the category of the path', async () => {
    expect((await askedFor('', 'reading')).rows.searchParams.get('category')).toBe('eq.reading')
  })

  it.each([
    ['', {}],
    ['grade=9&location=New York, NY', { in_grade: '9', at_location: 'New York, NY' }],
    ['gender=female', { of_genders: '{female,all}' }],
  ])('how many there are with the same filters, for %j', async (search, expected) => {
    const { counted } = await askedFor(search, 'reading')
    expect(counted.pathname).toBe('/rest/v1/rpc/count_resources')
    expect(Object.fromEntries(counted.searchParams)).toEqual({ of_category: 'reading', ...expected })
  })

  it.each([
    ['a,b(c)*"\\', { grade: '9', page: '2' }, { in_grade: '9', page: '2' }],
    ['50%_*', { gender: 'female' }, { of_genders: '{female,all}', page: '1' }],
  ])(
    'a search once, for rows and number, with the words as they are: %s',
    async (words, wanted, expected) => {
      const { asked, library } = recorded(() => Response.json({ total: 30, resources: [] }))
      await findListing(library, query(String(new URLSearchParams({ q: words, ...wanted }))))
      expect(asked.map(({ url }) => url.pathname)).toEqual(['/rest/v1/rpc/search_page'])
      expect(Object.fromEntries(asked[0]?.url.searchParams ?? [])).toEqual({ words, size: '8', ...expected })
    },
  )

  it('nothing when no text could match', async () => {
    const { asked, library } = recorded()
    const found = await findListing(library, query(`q=${'x'.repeat(maxSearchLength + 1)}`))
    expect(found).toEqual({ resources: [], total: 0, more: false, page: 1, pages: 1 })
    expect(asked).toEqual([])
  })
})

describe('findListing gives', () => {
  it('the rows, their total and the number of pages', async () => {
    const { library } = recorded(9)
    expect(await findListing(library, query('page=2'))).toEqual({
      resources: [8],
      total: 9,
      more: false,
      page: 2,
      pages: 2,
    })
  })

  it.each([7, 99999])('the last page for the page %i, which lies behind it', async (page) => {
    const { library } = recorded(9)
    expect(await findListing(library, query(`page=${page}`))).toMatchObject({
      resources: [8],
      page: 2,
      pages: 2,
    })
  })

  it('page 1 of nothing when a later page of nothing is asked for', async () => {
    const { library } = recorded(0)
    const nothing = { resources: [], total: 0, more: false, page: 1, pages: 1 }
    expect(await findListing(library, query('page=7'))).toEqual(nothing)
  })

  it('every page the same, from whichever end it is read', async () => {
    const total = 4 * 60 + 3
    const { asked, library } = recorded(total)
    const pages = Array.from({ length: 61 }, (_, n) => findListing(library, query(`size=4&page=${n + 1}`)))
    const shown = (await Promise.all(pages)).flatMap(({ resources }) => resources)
    expect(shown).toEqual(Array.from({ length: total }, (_, n) => n))
    const skipped = asked.map(({ url }) => Number(url.searchParams.get('offset')))
    expect(Math.max(...skipped)).toBeLessThanOrEqual(total / 2)
  })

  describe.each([500, 2 * mostFound])('of a search that %i resources match', (matching) => {
    const show = (page: number, size = 48) => {
      const { library } = recorded((url) =>
        Response.json({
          total: mostCounted + 1,
          resources: paged(Math.min(matching, mostFound), url),
        }),
      )
      return findListing(library, query(`q=the&size=${size}&page=${page}`))
    }

    it('the first pages, and that there are more than were counted', async () => {
      expect(await show(1)).toMatchObject({ total: mostCounted, more: true, page: 1, pages: 7 })
    })

    it('the pages behind these, one after the other, to the end', async () => {
      const shown: unknown[] = []
      let found = await show(1)
      while (found.page < found.pages) {
        shown.push(...found.resources)
        found = await show(found.page + 1)
      }
      shown.push(...found.resources)
      const end = Math.min(matching, mostFound)
      expect(shown).toEqual(Array.from({ length: end }, (_, n) => n))
      expect(found).toMatchObject(
        matching < mostFound ? { total: matching, more: false } : { total: mostCounted, more: true },
      )
    })

    it('a page that was counted for one that lies behind the end', async () => {
      expect(await show(9_999)).toMatchObject({ page: 7, more: true })
    })
  })

  it.each([7, 99999])('the last page of a search for the page %i, which lies behind it', async (page) => {
    const { library } = recorded((url) => Response.json({ total: 9, resources: paged(9, url) }))
    expect(await findListing(library, query(`q=the&page=${page}`))).toEqual({
      resources: [8],
      total: 9,
      more: false,
      page: 2,
      pages: 2,
    })
  })

  it('nothing when all of it went between counting and reading', async () => {
    const { asked, library } = recorded(() => Response.json({ total: mostCounted + 1, resources: [] }))
    const found = await findListing(library, query('q=the&page=9999'))
    expect(found).toMatchObject({ resources: [], more: false })
    expect(asked.length).toBe(2)
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
    expect(asked).toHaveLength(2)
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
