import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase } from '#server/database/open.ts'
import type { Database } from '#server/database/port.ts'
import { databaseUrl, onServer } from '#tests/support/databases.ts'
import { fileStores, type TestFiles } from '#tests/support/files.ts'
import { type Network, openNetwork } from '#tests/support/network.ts'
import { serveStorage, type TestStorage } from '#tests/support/storage.ts'

const name = `pictures_${randomUUID().replaceAll('-', '')}`
let network: Network
let db: Database
let files: TestFiles
let storage: Omit<TestStorage, 'close'>
beforeAll(async () => {
  await onServer(`create database ${name} template migrated`)
  network = await openNetwork(databaseUrl(name))
  db = await openDatabase({ kind: 'postgres', url: network.url }, pino({ level: 'silent' }))
  files = await fileStores[0][1]()
  storage = serveStorage(db, files.files)
  const picture = await sharp({ create: { width: 400, height: 300, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
  const { error } = await storage
    .as('service')
    .from('images')
    .upload('resource-images/teal.png', picture, { contentType: 'image/png' })
  expect(error).toBeNull()
})
afterAll(async () => {
  await db.close()
  await network.close()
  await files.remove()
  await onServer(`drop database ${name} with (force)`)
})

it.each([
  ['a file', '/object/public/images/resource-images/teal.png'],
  ['a picture in another size', '/render/image/public/images/resource-images/teal.png?width=160'],
])('%s that everybody may see takes one message to the database', async (_what, path) => {
  // The first reader has the variant made.
  const first = await storage.request(path, { who: 'nobody' })
  expect(first.status).toBe(200)
  await first.arrayBuffer()
  network.roundTrips()
  const again = await storage.request(path, { who: 'nobody' })
  expect([again.status, (await again.arrayBuffer()).byteLength > 0]).toEqual([200, true])
  expect(again.headers.get('etag')).toBe(first.headers.get('etag'))
  expect(network.roundTrips()).toBe(1)
})
