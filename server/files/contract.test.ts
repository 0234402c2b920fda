import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fileStores, listOf, type TestFiles } from '#tests/support/files.ts'
import { FileMissing, type Files, FilesFull } from './port.ts'

describe.each(fileStores)('files on %s', (_name, open) => {
  let store: TestFiles
  let files: Files
  beforeAll(async () => {
    store = await open()
    files = store.files
  })
  afterAll(() => store.remove())

  const read = async (key: string, range?: { start: number; end: number }) =>
    Buffer.from(await new Response(await files.read(key, range)).arrayBuffer())
  const keysOf = async () => (await listOf(files)).map(({ key }) => key)

  it('gives back what was written, and its size and MD5', async () => {
    const key = randomUUID()
    expect(await files.write(key, Buffer.from('hello'))).toEqual({
      size: 5,
      md5: '5d41402abc4b2a76b9719d911017c592',
    })
    expect((await read(key)).toString()).toBe('hello')
    expect((await read(key, { start: 1, end: 3 })).toString()).toBe('ell')
  })

  it('writes what arrives in pieces, larger than any part of an upload', async () => {
    const key = randomUUID()
    const { size } = await files.write(key, pieces(11 * 1024, 1024))
    expect(size).toBe(11 * 1024 * 1024)
    const all = await read(key)
    expect(all.length).toBe(size)
    expect(all.every((byte, i) => byte === (i >> 10) % 251)).toBe(true)
  })

  it('keeps an empty file', async () => {
    const key = randomUUID()
    expect(await files.write(key, new Uint8Array())).toEqual({
      size: 0,
      md5: 'd41d8cd98f00b204e9800998ecf8427e',
    })
    expect((await read(key)).length).toBe(0)
  })

  it.each([[3], [9 * 1024]])(
    'leaves nothing of a source that fails after %i KB, and passes its error on',
    async (kilobytes) => {
      const key = randomUUID()
      const broken = new Error('the line went dead')
      async function* source() {
        yield* pieces(kilobytes, 1024)
        throw broken
      }
      await expect(files.write(key, source())).rejects.toBe(broken)
      await expect(files.read(key)).rejects.toThrow(FileMissing)
      expect(await keysOf()).not.toContain(key)
    },
  )

  it('says which file is missing, and removes one that is not there without a word', async () => {
    await expect(files.read('missing')).rejects.toThrow(FileMissing)
    await expect(files.remove('missing')).resolves.toBeUndefined()
  })

  it('removes a file', async () => {
    const key = randomUUID()
    await files.write(key, Buffer.from('x'))
    await files.remove(key)
    await expect(files.read(key)).rejects.toThrow(FileMissing)
  })

  it('lists what there is, with its age and a way to remove it', async () => {
    const key = randomUUID()
    await files.write(key, Buffer.from('listed'))
    const listed = (await listOf(files)).find((file) => file.key === key)
    expect(listed?.whole).toBe(true)
    expect(Math.abs(Date.now() - Number(listed?.modifiedAt))).toBeLessThan(60_000)
    await listed?.quarantine()
    expect(await keysOf()).not.toContain(key)
    await expect(files.read(key)).rejects.toThrow(FileMissing)
  })

  it('gives back what was put aside, and removes it when told to', async () => {
    const [kept, gone]: [string, string] = [randomUUID(), randomUUID()]
    for (const key of [kept, gone]) await files.write(key, Buffer.from(key))
    for (const file of await listOf(files))
      if (file.key === kept || file.key === gone) await file.quarantine()
    for await (const file of files.quarantined()) {
      expect(Math.abs(Date.now() - file.since.getTime())).toBeLessThan(60_000)
      if (file.key === kept) await file.putBack()
      if (file.key === gone) await file.remove()
    }
    expect((await read(kept)).toString()).toBe(kept)
    const aside: string[] = []
    for await (const { key } of files.quarantined()) aside.push(key)
    expect(aside).not.toContain(kept)
    expect(aside).not.toContain(gone)
  })

  it('bears a mark, and does not take it for a file', async () => {
    expect(await files.readMarker()).toBeUndefined()
    const installation = randomUUID()
    await files.writeMarker(installation)
    expect(await files.readMarker()).toBe(installation)
    expect(await keysOf()).not.toContain('walking-together.json')
  })

  it('sees nothing of what others keep in the same place', async () => {
    await store.plant('holiday.jpg')
    await store.plant(`albums/${randomUUID()}`)
    const names = (await listOf(files)).map(({ key }) => key)
    expect(names.every((name) => /^[\da-f-]{36}$/.test(name))).toBe(true)
    const before = names.length
    await store.plant(`elsewhere/${randomUUID()}.jpg`)
    expect(await listOf(files)).toHaveLength(before)
  })
})

describe('files on disk', () => {
  it.runIf(existsSync('/dev/full'))('says that the disk is full, and leaves nothing half-made', async () => {
    const store = await fileStores[0][1]()
    const folder = store.url.slice('file:'.length)
    await mkdir(join(folder, 'fu'))
    await symlink('/dev/full', join(folder, 'fu', 'full.partial'))
    await expect(store.files.write('full', pieces(64, 1024))).rejects.toThrow(FilesFull)
    expect(await listOf(store.files)).toEqual([])
    await store.remove()
  })
})

async function* pieces(count: number, size: number): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < count; i++) yield Buffer.alloc(size, i % 251)
}
