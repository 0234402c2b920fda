import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  checkArchive,
  cut,
  encodeArchive,
  HEADER_NAME,
  hashOf,
  MANIFEST_NAME,
  type Piece,
  readContents,
  writeHeader,
  writeManifest,
} from './archive.ts'

const contents = {
  'database/public.users.copy.gz': Buffer.from('some rows'),
  'files/empty': Buffer.alloc(0),
  // Three pieces, the last one short.
  'files/large': Buffer.alloc(9 * 1024 * 1024, 'walking together '),
}

async function* pieces(made: Partial<Record<string, Buffer>> = contents): AsyncGenerator<Piece> {
  yield { name: HEADER_NAME, bytes: writeHeader('1.2.3', new Date('2026-11-22T03:30:00Z')) }
  const parts = []
  for (const [name, bytes = Buffer.alloc(0)] of Object.entries(made)) {
    for await (const piece of cut(name, inChunks(bytes, 100_001))) {
      parts.push({ name: piece.name, size: piece.bytes.length, sha256: hashOf(piece.bytes) })
      yield piece
    }
  }
  const nothing = { migrations: [], tables: [], sequences: [], waitingJobs: 0 }
  const manifest = { ...nothing, files: { count: 2, bytes: 1, missing: [] }, parts }
  yield* cut(MANIFEST_NAME, inChunks(writeManifest(manifest), 1000))
}

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
}

const archiveOf = (made?: Partial<Record<string, Buffer>>) => buffer(encodeArchive(pieces(made)))
const check = (bytes: Uint8Array) => checkArchive('a.tar', inChunks(bytes, 70_000))

describe('an archive', () => {
  it('gives back what was put in, piece by piece', async () => {
    const bytes = await archiveOf()
    const checked = await check(bytes)
    expect(checked.header).toMatchObject({ release: '1.2.3', madeAt: '2026-11-22T03:30:00.000Z' })
    expect(checked.manifest.parts.map(({ name }) => name)).toEqual([
      'database/public.users.copy.gz/00001',
      'files/empty/00001',
      'files/large/00001',
      'files/large/00002',
      'files/large/00003',
    ])
    const read: Record<string, string> = {}
    for await (const content of readContents('a.tar', inChunks(bytes, 4096), checked)) {
      const hash = createHash('sha256')
      for await (const piece of content.bytes) hash.update(piece)
      read[content.name] = hash.digest('hex')
    }
    expect(read).toEqual(
      Object.fromEntries(Object.entries(contents).map(([name, all]) => [name, hashOf(all)])),
    )
  })

  it('passes over contents that nobody reads', async () => {
    const bytes = await archiveOf()
    const names: string[] = []
    for await (const { name } of readContents('a.tar', inChunks(bytes, 4096), await check(bytes)))
      names.push(name)
    expect(names).toEqual(Object.keys(contents))
  })

  it('shows every flipped bit, wherever it is', async () => {
    const bytes = await archiveOf({ 'files/small': Buffer.from('a small archive is all the same to it') })
    const at = fc.oneof(
      fc.integer({ min: 0, max: bytes.length - 1 }),
      fc.integer({ min: bytes.length - 2048, max: bytes.length - 1 }),
    )
    await fc.assert(
      fc.asyncProperty(at, fc.integer({ min: 0, max: 7 }), async (index, bit) => {
        const altered = Buffer.from(bytes)
        altered[index] = (altered[index] ?? 0) ^ (1 << bit)
        await expect(check(altered)).rejects.toThrow(/a\.tar (cannot be restored|comes from a newer)/)
      }),
      { numRuns: 400 },
    )
  })

  it('shows that it was cut, and that something was added', async () => {
    const bytes = await archiveOf({ 'files/small': Buffer.from('small') })
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: bytes.length - 1 }), async (length) => {
        await expect(check(bytes.subarray(0, length))).rejects.toThrow('a.tar cannot be restored')
      }),
      { numRuns: 100 },
    )
    await expect(check(Buffer.concat([bytes, Buffer.alloc(512)]))).rejects.toThrow('cannot be restored')
  })

  it('says what is no archive of ours, and what a newer release made', async () => {
    await expect(check(Buffer.from('not a tar file '.repeat(100)))).rejects.toThrow(
      'no backup of Walking Together',
    )
    const newer = async function* () {
      const header = { application: 'walking-together', format: 2, contents: 'unheard of' }
      yield { name: HEADER_NAME, bytes: Buffer.from(JSON.stringify(header)) }
    }
    const bytes = await buffer(encodeArchive(newer()))
    await expect(check(bytes)).rejects.toThrow('comes from a newer release (archive format 2)')
  })

  it('notices a file that changes between the check and the reading', async () => {
    const bytes = await archiveOf()
    const checked = await check(bytes)
    const altered = Buffer.from(bytes)
    altered[bytes.length - 4000] = 0x7f
    const read = async () => {
      for await (const _ of readContents('a.tar', inChunks(altered, 4096), checked));
    }
    await expect(read()).rejects.toThrow('a.tar cannot be restored')
  })
})
