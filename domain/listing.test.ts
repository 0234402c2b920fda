import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  canMatch,
  changeListing,
  gradeOptions,
  isFiltered,
  type ListingQuery,
  listingKeys,
  listingSearch,
  paginationWindow,
  parseListing,
} from './listing.ts'
import { pageSizes, viewModes } from './preferences.ts'
import { categories, genders } from './resource.ts'

const read = (search: string) => parseListing(new URLSearchParams(search))
const nothing = read('')

const queries: fc.Arbitrary<ListingQuery> = fc.record({
  category: fc.option(fc.constantFrom(...categories), { nil: undefined }),
  q: fc.string({ unit: 'grapheme' }).map((text) => text.trim()),
  grade: fc.option(fc.constantFrom(...gradeOptions)),
  gender: fc.option(fc.constantFrom(...genders)),
  location: fc.string({ maxLength: 100 }).map((text) => text.replaceAll('\0', '').trim()),
  page: fc.integer({ min: 1, max: 99_999 }),
  size: fc.constantFrom(...pageSizes),
  view: fc.constantFrom(...viewModes),
})
const preferences = fc.record({ size: fc.constantFrom(...pageSizes), view: fc.constantFrom(...viewModes) })

describe('parseListing', () => {
  it('has a default for everything', () => {
    expect(nothing).toEqual({
      category: undefined,
      q: '',
      grade: null,
      gender: null,
      location: '',
      page: 1,
      size: 8,
      view: 'card',
    })
  })

  it('reads every key', () => {
    const search = '?q=+deep+sleep+&grade=7&gender=female&location=New+York&page=3&size=24&view=list'
    expect(parseListing(new URLSearchParams(search), 'reading')).toEqual({
      category: 'reading',
      q: 'deep sleep',
      grade: 7,
      gender: 'female',
      location: 'New York',
      page: 3,
      size: 24,
      view: 'list',
    })
  })

  it.each([
    'grade=5',
    'grade=13',
    'grade=K',
    'grade=07',
    'grade=7.0',
    'gender=none',
    'gender=FEMALE',
    'page=0',
    'page=-1',
    'page=1e3',
    'page=abc',
    'page=123456',
    'size=7',
    'size=9999',
    'view=grid',
    'colour=red',
    'q=',
    'q=+++',
    'location=a%00b',
    '__proto__=x',
    'category=podcast',
  ])('falls back to the default for %s', (search) => expect(read(search)).toEqual(nothing))

  it('takes view and page size from the preferences when the address has none', () => {
    const preferred = { view: 'list', size: 24 } as const
    expect(parseListing(new URLSearchParams(), undefined, preferred)).toMatchObject(preferred)
    expect(parseListing(new URLSearchParams('size=4&view=card'), undefined, preferred)).toMatchObject({
      view: 'card',
      size: 4,
    })
  })

  it('never throws, whatever the address says', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.constantFrom(...listingKeys), (text, key) => {
        const query = parseListing(new URLSearchParams([[key, text]]))
        expect(query.page).toBeGreaterThan(0)
        expect(pageSizes).toContain(query.size)
      }),
    )
  })
})

describe('canMatch', () => {
  it.each([
    ['x'.repeat(200), true],
    ['x'.repeat(201), false],
    ['a\0b', false],
    ['', true],
    ['%_\\👩', true],
  ])('of %j is %s', (q, matches) => expect(canMatch({ ...nothing, q })).toBe(matches))
})

describe('isFiltered', () => {
  it.each(['q=x', 'grade=6', 'gender=all', 'location=UK'])('is true for %s', (search) => {
    expect(isFiltered(read(search))).toBe(true)
  })
  it.each(['', 'page=2', 'size=24', 'view=list'])('is false for "%s"', (search) => {
    expect(isFiltered(read(search))).toBe(false)
  })
})

describe('listingSearch', () => {
  it('is empty for the default listing', () => expect(listingSearch(nothing)).toBe(''))

  it('leaves defaults out and keeps one order of keys', () => {
    const query = read('view=list&page=2&size=8&gender=male&q=a%26b&grade=')
    expect(listingSearch(query)).toBe('?q=a%26b&gender=male&page=2&view=list')
  })

  it('is read back as the same query, also with preferences', () => {
    fc.assert(
      fc.property(queries, preferences, (query, preferred) => {
        const search = listingSearch(query, preferred)
        expect(parseListing(new URLSearchParams(search), query.category, preferred)).toEqual(query)
      }),
    )
  })

  it('is the same for two spellings of one query', () => {
    fc.assert(
      fc.property(queries, (query) => {
        const shuffled = new URLSearchParams([...new URLSearchParams(listingSearch(query))].reverse())
        shuffled.append('utm_source', 'mail')
        expect(listingSearch(parseListing(shuffled))).toBe(listingSearch(query))
      }),
    )
  })
})

describe('changeListing', () => {
  const third = read('page=3&q=sleep&view=card')

  it.each<Partial<ListingQuery>>([
    { q: 'screens' },
    { q: '' },
    { grade: 7 },
    { gender: 'all' },
    { location: 'UK' },
    { category: 'podcast' },
    { size: 24 },
    { q: 'screens', page: 5 },
  ])('goes back to page 1 for %j', (change) => expect(changeListing(third, change).page).toBe(1))

  it.each<Partial<ListingQuery>>([{ view: 'list' }, { q: 'sleep' }, {}])(
    'stays on its page for %j',
    (change) => {
      expect(changeListing(third, change).page).toBe(3)
    },
  )

  it('turns the page', () => expect(changeListing(third, { page: 4 })).toEqual({ ...third, page: 4 }))
})

describe('paginationWindow', () => {
  it.each([
    [1, 0, []],
    [1, 1, [1]],
    [2, 3, [1, 2, 3]],
    [1, 9, [1, 2, 3, 4, 5]],
    [3, 9, [1, 2, 3, 4, 5]],
    [5, 9, [3, 4, 5, 6, 7]],
    [9, 9, [5, 6, 7, 8, 9]],
    [99, 9, [5, 6, 7, 8, 9]],
    [4, 5, [1, 2, 3, 4, 5]],
  ])('page %i of %i shows %j', (page, pages, numbers) =>
    expect(paginationWindow(page, pages)).toEqual(numbers),
  )

  it('always shows the current page and at most five in a row', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.nat({ max: 500 }), (pages, offset) => {
        const page = 1 + (offset % pages)
        const numbers = paginationWindow(page, pages)
        expect(numbers).toContain(page)
        expect(numbers).toHaveLength(Math.min(5, pages))
        expect(numbers.at(-1)).toBeLessThanOrEqual(pages)
      }),
    )
  })
})
