import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasAudioTrack } from './audio-track.ts'
import { mp4Of } from './mp4-fixture.ts'

const blob = (bytes: Uint8Array) => new Blob([new Uint8Array(bytes)])

/** The same file with the length of its `mdat` box told in 64 bits. */
const withLongBox = (bytes: Buffer) => {
  const at = bytes.indexOf('mdat') - 4
  const long = Buffer.alloc(16)
  long.writeUInt32BE(1)
  long.write('mdat', 4)
  long.writeBigUInt64BE(BigInt(bytes.readUInt32BE(at) + 8), 8)
  return Buffer.concat([bytes.subarray(0, at), long, bytes.subarray(at + 8)])
}

describe('hasAudioTrack', () => {
  it.each([
    ['a film with sound', mp4Of('vide', 'soun'), true],
    ['sound alone', mp4Of('soun'), true],
    ['a film without sound', mp4Of('vide'), false],
    ['no tracks at all', mp4Of(), false],
    ['sound behind a very long box', withLongBox(mp4Of('soun')), true],
    ['the word in a box of something else', Buffer.concat([mp4Of('vide'), Buffer.from('hdlrsoun')]), false],
    ['an MP4 without a table of contents', mp4Of().subarray(0, 32), undefined],
    ['an MP4 that breaks off', mp4Of('soun').subarray(0, 500), undefined],
    ['another kind of file', Buffer.from('ID3 and then hdlrsoun, which means nothing'), undefined],
    ['nothing', Buffer.alloc(0), undefined],
  ])('%s', async (_what, bytes, expected) => expect(await hasAudioTrack(blob(bytes))).toBe(expected))

  it('comes to an end, whatever is in the file', async () => {
    const start = mp4Of('vide', 'soun')
    await fc.assert(
      fc.asyncProperty(fc.nat(start.length - 1), fc.uint8Array({ maxLength: 24 }), async (at, bytes) => {
        const file = Buffer.from(start)
        file.set(bytes.subarray(0, file.length - at), at)
        expect([true, false, undefined]).toContain(await hasAudioTrack(blob(file)))
      }),
    )
  })
})
