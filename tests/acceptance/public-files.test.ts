import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StorageClient } from '@supabase/storage-js'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/database/port.ts'
import { openDiskFiles } from '#server/files/disk.ts'
import type { Files } from '#server/files/port.ts'
import { createStorage } from '#server/storage/index.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { keys, verifyToken } from '#tests/support/storage.ts'

const bytes = Buffer.from(Array.from({ length: 1000 }, (_, i) => i % 251))
const eTag = `"${createHash('md5').update(bytes).digest('hex')}"`

describe('public files', () => {
  let db: Database
  let files: Files
  let folder: string
  let storage: ReturnType<typeof createStorage>
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    storage.request(`/object/public/${path}`, { headers, method })

  beforeAll(async () => {
    db = await openTestDatabase()
    folder = await mkdtemp(join(tmpdir(), 'files-'))
    files = openDiskFiles(folder)
    storage = createStorage({ db, files, keys, verifyToken, log: pino({ level: 'silent' }) })
    await db.asOwner('a private bucket', (tx) =>
      tx.query("insert into storage.buckets (id, name) values ('private', 'private')"),
    )
    await store('audio', 'resource-audio/talk.mp3', 'audio/mpeg')
    await store('images', 'resource-images/Ünï cödé 🌱 100%.webp', 'image/webp')
    await store('images', 'evil.svg', 'image/svg+xml')
    await store('private', 'secret.txt', 'text/plain')
  })
  afterAll(async () => {
    await db.close()
    await rm(folder, { recursive: true, force: true })
  })

  async function store(bucket: string, name: string, mimetype: string) {
    const version = crypto.randomUUID()
    await files.write(version, bytes)
    const metadata = {
      eTag,
      size: bytes.length,
      mimetype,
      cacheControl: 'max-age=3600',
      lastModified: new Date().toISOString(),
    }
    await db.asOwner('a stored file', (tx) =>
      tx.query('insert into storage.objects (bucket_id, name, version, metadata) values ($1, $2, $3, $4)', [
        bucket,
        name,
        version,
        JSON.stringify(metadata),
      ]),
    )
  }

  it('serves the whole file with its type, length, ETag and age', async () => {
    const response = await get('audio/resource-audio/talk.mp3')
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true)
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'audio/mpeg',
      'content-length': '1000',
      'accept-ranges': 'bytes',
      'cache-control': 'max-age=3600',
      etag: eTag,
      'x-content-type-options': 'nosniff',
    })
  })

  it('answers HEAD with the same headers and no body', async () => {
    const response = await get('audio/resource-audio/talk.mp3', {}, 'HEAD')
    expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([
      200,
      '1000',
      '',
    ])
  })

  it.each([
    ['bytes=0-99', 206, 'bytes 0-99/1000', 100],
    ['bytes=900-', 206, 'bytes 900-999/1000', 100],
    ['bytes=-1', 206, 'bytes 999-999/1000', 1],
    ['bytes=990-5000', 206, 'bytes 990-999/1000', 10],
    ['bytes=1000-', 416, 'bytes */1000', 0],
    ['bytes=5-2', 416, 'bytes */1000', 0],
    ['bytes=0-1,5-6', 200, null, 1000],
    ['lines=1-2', 200, null, 1000],
    ['bytes=x', 200, null, 1000],
  ])('Range: %s gives %i', async (range, status, contentRange, length) => {
    const response = await get('audio/resource-audio/talk.mp3', { range })
    const body = Buffer.from(await response.arrayBuffer())
    expect([response.status, response.headers.get('content-range'), body.length]).toEqual([
      status,
      contentRange,
      length,
    ])
    const start = Number(/bytes (\d+)-/.exec(contentRange ?? '')?.[1] ?? 0)
    expect(body.equals(bytes.subarray(start, start + length))).toBe(true)
  })

  it('sends nothing again to who has it, and ignores a range of an older version', async () => {
    expect((await get('audio/resource-audio/talk.mp3', { 'if-none-match': eTag })).status).toBe(304)
    expect(
      (await get('audio/resource-audio/talk.mp3', { range: 'bytes=0-9', 'if-range': '"older"' })).status,
    ).toBe(200)
    expect(
      (await get('audio/resource-audio/talk.mp3', { range: 'bytes=0-9', 'if-range': eTag })).status,
    ).toBe(206)
  })

  it('finds any Unicode name at the address that the official client gives', async () => {
    const client = new StorageClient('http://site.test/storage/v1')
    const { data } = client.from('images').getPublicUrl('resource-images/Ünï cödé 🌱 100%.webp')
    const response = await storage.request(data.publicUrl.replace('http://site.test/storage/v1', ''))
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/webp'])
  })

  it('never lets a file run in our origin', async () => {
    const svg = await get('images/evil.svg')
    expect(svg.headers.get('content-disposition')).toMatch(/^attachment/)
    expect(svg.headers.get('content-security-policy')).toContain('sandbox')
  })

  it.each([
    'private/secret.txt',
    'images/none.webp',
    'nowhere/none.webp',
    'images/..%2f..%2fetc%2fpasswd',
    'images/%00',
    'images/%E0%A4%A',
    `images/${'x'.repeat(5000)}`,
  ])('has no public file at %s', async (path) => {
    const response = await get(path)
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ statusCode: '404' })
  })

  it('says 404 when the row is there and the bytes are lost', async () => {
    await db.asOwner('a lost file', (tx) =>
      tx.query("update storage.objects set version = gen_random_uuid()::text where name = 'evil.svg'"),
    )
    expect((await get('images/evil.svg')).status).toBe(404)
  })
})
