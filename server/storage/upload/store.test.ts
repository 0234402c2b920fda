import { describe, expect, it } from 'vitest'
import { inspect } from './store.ts'

const rules = { label: 'text/plain', allowedTypes: null, maxBytes: 10_000 }
const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

async function* inPieces(...pieces: Uint8Array[]) {
  yield* pieces
}
async function passed(bytes: AsyncIterable<Uint8Array>): Promise<number> {
  let size = 0
  for await (const chunk of bytes) size += chunk.length
  return size
}

describe('inspect', () => {
  it('passes everything on, however it is cut', async () => {
    for (const size of [0, 1, 4099, 4100, 4101, 10_000]) {
      const pieces = [Buffer.alloc(Math.floor(size / 3)), Buffer.alloc(size - Math.floor(size / 3))]
      expect(await passed(inspect(inPieces(...pieces), rules))).toBe(size)
    }
  })

  it('breaks off at the first byte too many', async () => {
    const bytes = inPieces(Buffer.alloc(9_999), Buffer.alloc(1), Buffer.alloc(1))
    await expect(passed(inspect(bytes, rules))).rejects.toMatchObject({ status: 413 })
  })

  it('lets no byte of a wrong type pass', async () => {
    const bytes = inspect(inPieces(Buffer.alloc(5000, 'x'), Buffer.alloc(5000)), {
      ...rules,
      label: 'image/png',
    })
    await expect(bytes.next()).rejects.toMatchObject({ status: 415 })
  })

  it('knows a type that comes byte by byte', async () => {
    const bytes = [...png].map((byte) => Uint8Array.of(byte))
    expect(await passed(inspect(inPieces(...bytes), { ...rules, label: 'image/png' }))).toBe(16)
  })
})
