import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { purgeRetiredBytes } from '#server/storage/stored-bytes.ts'
import { listOf } from '#tests/support/files.ts'
import { png } from '#tests/support/samples.ts'
import { storages, type TestStorage } from '#tests/support/storage.ts'

const DAY_MS = 24 * 3_600_000
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS)

describe.each(storages)('bytes of replaced and deleted objects on %s', (_name, open) => {
  let storage: TestStorage
  beforeAll(async () => {
    storage = await open()
  })
  afterAll(() => storage.close())
  const images = () => storage.as('admin').from('images')
  const versionOf = async (name: string) => (await images().info(name)).data?.version ?? ''
  const kept = async () => (await listOf(storage.files)).map(({ key }) => key)

  it('stay for seven days, and go then', async () => {
    await images().upload('a.png', png, { contentType: 'image/png' })
    const first = await versionOf('a.png')
    await images().upload('a.png', png, { contentType: 'image/png', upsert: true })
    const second = await versionOf('a.png')
    await images().remove(['a.png'])
    expect(await purgeRetiredBytes(storage.db, storage.files, inDays(6))).toBe(0)
    expect(await kept()).toEqual(expect.arrayContaining([first, second]))
    expect(await purgeRetiredBytes(storage.db, storage.files, inDays(8))).toBe(2)
    expect(await kept()).toEqual([])
  })

  it('take the pictures along that were made of them', async () => {
    const photo = await sharp({ create: { width: 400, height: 400, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    await images().upload('b.png', photo, { contentType: 'image/png' })
    await storage.request('/render/image/public/images/b.png?width=160', { who: 'nobody' })
    expect(await kept()).toHaveLength(2)
    await images().remove(['b.png'])
    await purgeRetiredBytes(storage.db, storage.files, inDays(8))
    expect(await kept()).toEqual([])
  })

  it('answer old or new to whoever reads while they are replaced, and never that there is nothing', async () => {
    const bodies = [0, 1].map((n) => Buffer.concat([png, Buffer.alloc(1000 + n)]))
    const put = (n: number) =>
      images().upload('busy.png', bodies[n % 2] ?? png, { contentType: 'image/png', upsert: true })
    await put(0)
    let isOver = false
    const seen = new Set<number>()
    const reader = async () => {
      while (!isOver) {
        const response = await storage.request('/object/public/images/busy.png', { who: 'nobody' })
        seen.add(response.status)
        const { byteLength } = await response.arrayBuffer()
        if (response.ok) expect(bodies.map((body) => body.length)).toContain(byteLength)
      }
    }
    const readers = [reader(), reader(), reader(), reader()]
    for (let n = 1; n < 40; n++) await put(n)
    isOver = true
    await Promise.all(readers)
    expect([...seen]).toEqual([200])
  })

  it('are not kept for an upload that was refused', async () => {
    const before = await kept()
    const refused = await images().upload('busy.png', png, { contentType: 'image/png' })
    expect(refused.error).not.toBeNull()
    expect(await kept()).toEqual(before)
  })
})
