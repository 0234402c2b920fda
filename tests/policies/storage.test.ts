import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/database/port.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { cases, type Line, openWorld, outcomeOf, type Who } from './world.ts'

const objects: Record<string, string> = {
  'list the pictures': "select name from storage.objects where bucket_id = 'images'",
  'list the recordings': "select name from storage.objects where bucket_id = 'audio'",
  'list the vault': "select name from storage.objects where bucket_id = 'vault'",
  'upload a picture':
    "insert into storage.objects (bucket_id, name) values ('images', 'resource-images/b.png')",
  'upload a recording':
    "insert into storage.objects (bucket_id, name) values ('audio', 'resource-audio/b.mp3')",
  'upload into the vault': "insert into storage.objects (bucket_id, name) values ('vault', 'b.txt')",
  'replace a picture': "update storage.objects set version = 'v2' where bucket_id = 'images'",
  'replace a picture by upsert': `insert into storage.objects (bucket_id, name) values ('images', 'resource-images/a.webp')
    on conflict (bucket_id, name) do update set version = 'v2'`,
  'move a picture to the recordings':
    "update storage.objects set bucket_id = 'audio' where bucket_id = 'images'",
  'move a picture into the vault':
    "update storage.objects set bucket_id = 'vault' where bucket_id = 'images'",
  'replace what is in the vault': "update storage.objects set version = 'v2' where bucket_id = 'vault'",
  'remove a picture': "delete from storage.objects where bucket_id = 'images'",
  'remove what is in the vault': "delete from storage.objects where bucket_id = 'vault'",
}
const buckets: Record<string, string> = {
  'see the buckets': 'select id, public, file_size_limit from storage.buckets',
  'make a bucket': "insert into storage.buckets (id, name, public) values ('mine', 'mine', true)",
  'open a bucket': "update storage.buckets set public = true where id = 'vault'",
  'lift a limit': "update storage.buckets set file_size_limit = null where id = 'images'",
  'remove a bucket': "delete from storage.buckets where id = 'empty'",
}

const columns: Who[] = ['visitor', 'member', 'admin', 'service']
const table: Line[] = [
  ['list the pictures', 'hidden', 'hidden', 'allowed', 'allowed'],
  ['list the recordings', 'hidden', 'hidden', 'allowed', 'allowed'],
  ['list the vault', 'hidden', 'hidden', 'hidden', 'allowed'],
  ['upload a picture', 'refused', 'refused', 'allowed', 'allowed'],
  ['upload a recording', 'refused', 'refused', 'allowed', 'allowed'],
  ['upload into the vault', 'refused', 'refused', 'refused', 'allowed'],
  ['replace a picture', 'hidden', 'hidden', 'allowed', 'allowed'],
  ['replace a picture by upsert', 'refused', 'refused', 'allowed', 'allowed'],
  ['move a picture to the recordings', 'hidden', 'hidden', 'allowed', 'allowed'],
  ['move a picture into the vault', 'hidden', 'hidden', 'refused', 'allowed'],
  ['replace what is in the vault', 'hidden', 'hidden', 'hidden', 'allowed'],
  ['remove a picture', 'hidden', 'hidden', 'allowed', 'allowed'],
  ['remove what is in the vault', 'hidden', 'hidden', 'hidden', 'allowed'],
  ['see the buckets', 'hidden', 'hidden', 'allowed', 'allowed'],
  ['make a bucket', 'refused', 'refused', 'refused', 'allowed'],
  ['open a bucket', 'hidden', 'hidden', 'hidden', 'allowed'],
  ['lift a limit', 'hidden', 'hidden', 'hidden', 'allowed'],
  ['remove a bucket', 'hidden', 'hidden', 'hidden', 'allowed'],
]

describe('files', () => {
  let db: Database
  beforeAll(async () => {
    db = await openWorld(openTestDatabase)
    await db.asOwner('test', (tx) =>
      tx.query("insert into storage.buckets (id, name) values ('empty', 'empty')"),
    )
  })
  afterAll(() => db.close())

  it.each(cases(columns, table))('%s may %s: %s', async (who, operation, outcome) => {
    expect(await outcomeOf(db, who, String(objects[operation] ?? buckets[operation]))).toBe(outcome)
  })

  it('are kept in two public buckets with the limits of the specification', async () => {
    const { rows } = await db.asOwner('test', (tx) =>
      tx.query(`select id, public, file_size_limit as limit, allowed_mime_types as types from storage.buckets
        where id in ('images', 'audio') order by id desc`),
    )
    expect(rows).toEqual([
      { id: 'images', public: true, limit: 5 * 1024 * 1024, types: ['image/*'] },
      { id: 'audio', public: true, limit: 50 * 1024 * 1024, types: ['audio/*', 'video/mp4'] },
    ])
  })

  it.each([
    ['a/b/c.tar.gz', ['a', 'b'], 'c.tar.gz', 'gz'],
    ['c.png', [], 'c.png', 'png'],
    ['a.b/c', ['a.b'], 'c', null],
  ])('the parts of %s are found by the helpers for policies', async (name, folder, file, extension) => {
    const { rows } = await db.asCaller({ role: 'anon', claims: {} }, (tx) =>
      tx.query(
        'select storage.foldername($1) as folder, storage.filename($1) as file, storage.extension($1) as extension',
        [name],
      ),
    )
    expect(rows).toEqual([{ folder, file, extension }])
  })
})
