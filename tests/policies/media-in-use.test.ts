import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/database/port.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { attempt, cases, ids, type Line, openWorld, outcomeOf, type Who } from './world.ts'

const picture = '/storage/v1/object/public/images/resource-images/a%20b.webp'
const recording = '/storage/v1/object/public/audio/resource-audio/a.mp3'
const body = `<p>ä 😀</p><img src="https://db.example/storage/v1/render/image/public/images/resource-images/a%20b.webp?width=640">`
const base64 = Buffer.from(body).toString('base64')

const media = `
  update public.resources set image_url = '${picture}' where id = '${ids.open}';
  insert into public.resources (title, description, category, image_url, "audioUrl", article_content) values
    ('Episode', 'd', 'podcast', 'https://db.example${picture}?v=2', '${recording}', null),
    ('Article', 'd', 'reading', null, null, '${base64}'),
    ('Plain article', 'd', 'reading', null, null, '<img src="${picture}"> is no base64'),
    ('Longer name', 'd', 'reading', '${picture}.png', null, 'gA=='),
    ('Elsewhere', 'd', 'reading', 'https://elsewhere.example/a%20b.webp', null, null);
`

const uses = `select title from public.media_uses('${picture}')`
const columns: Who[] = ['visitor', 'member', 'admin', 'service']
const table: Line[] = [
  [uses, 'refused', 'hidden', 'allowed', 'refused'],
  ['select * from public.storage_usage()', 'refused', 'hidden', 'allowed', 'refused'],
]

describe('media in use', () => {
  let db: Database
  beforeAll(async () => {
    db = await openWorld(openTestDatabase)
    await db.asOwner('test', (tx) => tx.script(media))
  })
  afterAll(() => db.close())

  it.each(cases(columns, table))('%s may %s: %s', async (who, operation, outcome) => {
    expect(await outcomeOf(db, who, operation)).toBe(outcome)
  })

  it.each<[address: string, titles: string[]]>([
    [picture, ['Article', 'Episode', 'Open', 'Plain article']],
    [`https://db.example${picture}?v=3`, ['Article', 'Episode', 'Open', 'Plain article']],
    [picture.replace('object', 'render/image'), ['Article', 'Episode', 'Open', 'Plain article']],
    [recording, ['Episode']],
    ['/storage/v1/object/public/images/resource-images/unused.png', []],
    ['https://elsewhere.example/a%20b.webp', []],
    ['', []],
    ['%', []],
  ])('%s is used by %j', async (address, titles) => {
    const found = await attempt(db, 'admin', async (tx) => {
      const { rows } = await tx.query<{ title: string }>('select title from public.media_uses($1)', [address])
      return rows.map(({ title }) => title)
    })
    expect(found).toEqual({ result: titles })
  })

  it('what is deleted uses its files as long as it can be restored', async () => {
    const found = (age: string) =>
      attempt(db, 'admin', async (tx) => {
        await tx.query(`delete from public.resources where title <> 'Article'`)
        await tx.script(
          `reset role; update public.deleted_resources set deleted_at = now() - interval '${age}'`,
        )
        await tx.script('set local role authenticated')
        return (await tx.query<{ title: string }>(uses)).rows.map(({ title }) => title)
      })
    expect(await found('29 days')).toEqual({ result: ['Article', 'Episode', 'Open', 'Plain article'] })
    expect(await found('31 days')).toEqual({ result: ['Article'] })
  })

  it('the storage is counted bucket by bucket, without those that admins do not see', async () => {
    const counted = await attempt(db, 'admin', async (tx) => {
      await tx.query(`insert into storage.objects (bucket_id, name, metadata)
        values ('images', 'resource-images/b.png', '{"size": 3000000000}')`)
      return (await tx.query('select bucket, files::int, bytes::float from public.storage_usage()')).rows
    })
    expect(counted).toEqual({
      result: [
        { bucket: 'audio', files: 1, bytes: 0 },
        { bucket: 'images', files: 2, bytes: 3_000_000_000 },
      ],
    })
  })
})
