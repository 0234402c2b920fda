import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { storages, type TestStorage } from '#tests/support/storage.ts'

const names = [
  'a.txt',
  'B.txt',
  'c.txt',
  'deep/er/1.txt',
  'deep/er/2.txt',
  'deep/3.txt',
  'deep%/4.txt',
  'über/5.txt',
]

describe.each(storages)('lists on %s', (_name, open) => {
  let storage: TestStorage
  const vault = () => storage.as('service').from('vault')
  beforeAll(async () => {
    storage = await open()
    for (const name of names) await vault().upload(name, name, { contentType: 'text/plain' })
    await storage.db.asOwner('an order of making that is not the alphabet', (tx) =>
      tx.query(`update storage.objects set created_at = '2026-01-01'::timestamptz + length(name) * interval '1 day'
        + case name when 'B.txt' then interval '1 hour' when 'c.txt' then interval '2 hours' else '0' end`),
    )
  })
  afterAll(() => storage.close())
  const list = async (...parameters: Parameters<ReturnType<typeof vault>['list']>) =>
    (await vault().list(...parameters)).data?.map(({ name, id }) => (id === null ? `${name}/` : name))

  it('show one level, folders first, names relative to the folder', async () => {
    expect(await list()).toEqual(['deep/', 'deep%/', 'über/', 'B.txt', 'a.txt', 'c.txt'])
    expect(await list('deep')).toEqual(['er/', '3.txt'])
    expect(await list('deep/er/')).toEqual(['1.txt', '2.txt'])
    expect(await list('deep%')).toEqual(['4.txt'])
    expect(await list('de')).toEqual([])
  })

  it('show what storage-js promises of a file and of a folder', async () => {
    const { data } = await vault().list('', { search: 'a' })
    expect(data).toEqual([
      {
        name: 'a.txt',
        id: expect.stringMatching(/^[\da-f-]{36}$/),
        updated_at: expect.stringMatching(/Z$/),
        created_at: '2026-01-06T00:00:00.000Z',
        last_accessed_at: expect.stringMatching(/Z$/),
        metadata: {
          eTag: expect.stringMatching(/^"[\da-f]{32}"$/),
          size: 5,
          mimetype: 'text/plain',
          cacheControl: 'max-age=3600',
          lastModified: expect.stringMatching(/Z$/),
          contentLength: 5,
          httpStatusCode: 200,
        },
      },
    ])
    const folder = { id: null, updated_at: null, created_at: null, last_accessed_at: null, metadata: null }
    expect((await vault().list('', { limit: 1 })).data).toEqual([{ name: 'deep', ...folder }])
  })

  it('are sorted, searched from the beginning of a name, and cut into pages', async () => {
    const files = { offset: 3 }
    expect(await list('', { ...files, sortBy: { column: 'created_at', order: 'desc' } })).toEqual([
      'c.txt',
      'B.txt',
      'a.txt',
    ])
    expect(await list('', { sortBy: { column: 'name', order: 'desc' } })).toEqual([
      'über/',
      'deep%/',
      'deep/',
      'c.txt',
      'a.txt',
      'B.txt',
    ])
    expect(await list('', { search: 'b' })).toEqual(['B.txt'])
    expect(await list('', { search: '%' })).toEqual([])
    expect(await list('', { limit: 2, offset: 2 })).toEqual(['über/', 'B.txt'])
  })

  it('give 100 entries unless more are asked for, and never more than 1000', async () => {
    await storage.db.asOwner('many files', (tx) =>
      tx.query(
        `insert into storage.objects (bucket_id, name) select 'images', 'many/' || i from generate_series(1, 1001) i`,
      ),
    )
    const many = storage.as('service').from('images')
    expect((await many.list('many')).data).toHaveLength(100)
    expect((await many.list('many', { limit: 1000 })).data).toHaveLength(1000)
    expect((await many.list('many', { limit: 1001 })).error).toMatchObject({ status: 400 })
  })

  it('look empty to whom policies show nothing', async () => {
    for (const who of ['visitor', 'member', 'admin'] as const) {
      expect((await storage.as(who).from('vault').list()).data).toEqual([])
      expect((await storage.as(who).from('vault').listV2()).data).toEqual({
        hasNext: false,
        folders: [],
        objects: [],
      })
    }
  })

  describe('by cursor', () => {
    const sorted = [...names].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))

    it.each([
      [undefined, sorted],
      [{ column: 'name', order: 'desc' } as const, [...sorted].reverse()],
    ])('give all names in pages, sorted by %j', async (sortBy, expected) => {
      expect(await allPages({ limit: 3, ...(sortBy && { sortBy }) })).toEqual(expected)
    })

    it('keep the order of the first page when sorted by age', async () => {
      const seen = await allPages({ limit: 2, sortBy: { column: 'created_at', order: 'desc' } })
      expect([...seen].sort()).toEqual([...names].sort())
      expect(seen.slice(-3)).toEqual(['c.txt', 'B.txt', 'a.txt'])
    })

    it('show what lies deeper as folders', async () => {
      const { data } = await vault().listV2({ with_delimiter: true })
      expect(data?.folders).toEqual([
        // By their whole names, in which % comes before /.
        { key: 'deep%', name: 'deep%/' },
        { key: 'deep', name: 'deep/' },
        { key: 'über', name: 'über/' },
      ])
      expect(data?.objects.map(({ name, key }) => [name, key])).toEqual([
        ['B.txt', 'B.txt'],
        ['a.txt', 'a.txt'],
        ['c.txt', 'c.txt'],
      ])
      const inside = await vault().listV2({ with_delimiter: true, prefix: 'deep/' })
      expect(inside.data).toMatchObject({
        hasNext: false,
        folders: [{ key: 'deep/er', name: 'deep/er/' }],
        objects: [{ name: 'deep/3.txt', metadata: { size: 10 } }],
      })
    })

    it('are asked for in few words by who is not signed in', async () => {
      const ask = (who: 'visitor' | 'member', bytes: number) =>
        storage.request('/object/list/vault', {
          who,
          method: 'POST',
          body: `${' '.repeat(bytes)}{"prefix":""}`,
        })
      expect((await ask('visitor', 60_000)).status).toBe(200)
      const refused = await ask('visitor', 70_000)
      expect([refused.status, await refused.json()]).toMatchObject([413, { code: 'EntityTooLarge' }])
      expect((await ask('member', 70_000)).status).toBe(200)
    })

    it('refuse a cursor that was never given', async () => {
      for (const cursor of ['x', Buffer.from('["name; drop","asc","",""]').toString('base64url')]) {
        expect((await vault().listV2({ cursor })).error).toMatchObject({ status: 400 })
      }
    })

    async function allPages(options: object): Promise<string[]> {
      const seen: string[] = []
      let page = (await vault().listV2(options)).data
      for (let turns = 0; page && turns < 20; turns++) {
        seen.push(...page.objects.map(({ name }) => name))
        if (!page.hasNext) return seen
        // Only the cursor: it knows the order by itself.
        page = (await vault().listV2({ limit: 3, cursor: page.nextCursor ?? '' })).data
      }
      throw new Error('the pages did not end')
    }
  })
})
