import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mp4Of } from '#tests/support/mp4.ts'
import { examineFile, hasAudioTrack } from './examine-file.ts'
import { duplicateMessage, mediaRules } from './rules.ts'

// As files of each kind begin.
const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const jpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex')
const svg = Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"></svg>')
const mp3 = Buffer.concat([Buffer.from('fffb9064', 'hex'), Buffer.alloc(413)])
const wav = Buffer.from('RIFF\x24\0\0\0WAVEfmt ', 'latin1')
const mp4 = mp4Of('soun')
const pdf = Buffer.from('%PDF-1.7\n')

const MEGABYTE = 1024 * 1024
const fileOf = (type: string, start: Uint8Array, size = start.length) =>
  new File([new Uint8Array(start), new Uint8Array(size - start.length)], 'a', { type })

const noImage = { problem: 'Please select an image file' }
const noAudio = { problem: 'Please select an audio file (including .mp4 files with audio content)' }
const empty = { problem: 'This file is empty. Please choose a different one.' }

describe('a picture', () => {
  it.each([
    ['a PNG', 'image/png', png, undefined, { type: 'image/png' }],
    ['a JPEG that is called PNG', 'image/png', jpeg, undefined, { type: 'image/png' }],
    ['a drawing', 'image/svg+xml', svg, undefined, { type: 'image/svg+xml' }],
    ['a picture without a label', '', png, undefined, { type: 'image/png' }],
    ['exactly 5 MB', 'image/png', png, 5 * MEGABYTE, { type: 'image/png' }],
    ['one byte more', 'image/png', png, 5 * MEGABYTE + 1, { problem: 'Image size must be less than 5MB' }],
    ['a text named .png', 'image/png', Buffer.from('words'), undefined, noImage],
    ['a text', 'text/plain', Buffer.from('words'), undefined, noImage],
    ['a text without a label', '', Buffer.from('words'), undefined, noImage],
    ['a recording', 'audio/mpeg', mp3, undefined, noImage],
    ['a PDF named .png', 'image/png', pdf, undefined, noImage],
    ['nothing', 'image/png', Buffer.alloc(0), undefined, empty],
  ])('%s', async (_what, type, start, size, expected) => {
    expect(await examineFile('image', fileOf(type, start, size))).toEqual(expected)
  })
})

describe('a recording', () => {
  it.each([
    ['an MP3', 'audio/mpeg', mp3, undefined, { type: 'audio/mpeg' }],
    ['a WAV', 'audio/wav', wav, undefined, { type: 'audio/wav' }],
    ['an .mp4', 'video/mp4', mp4, undefined, { type: 'video/mp4' }],
    ['an .m4a', 'audio/x-m4a', mp4, undefined, { type: 'audio/x-m4a' }],
    ['exactly 50 MB', 'audio/mpeg', mp3, 50 * MEGABYTE, { type: 'audio/mpeg' }],
    ['one byte more', 'audio/mpeg', mp3, 50 * MEGABYTE + 1, { problem: 'Audio size must be less than 50MB' }],
    ['another kind of film', 'video/webm', mp4, undefined, noAudio],
    ['a picture named .mp3', 'audio/mpeg', png, undefined, noAudio],
    ['nothing', 'audio/mpeg', Buffer.alloc(0), undefined, empty],
  ])('%s', async (_what, type, start, size, expected) => {
    expect(await examineFile('audio', fileOf(type, start, size))).toEqual(expected)
  })
})

it('a name that is taken is named', () => {
  expect(duplicateMessage('a b.png')).toBe(
    'A file named "a b.png" already exists. Please rename your file or choose a different one.',
  )
})

it('pictures and recordings have a bucket and a folder each', () => {
  expect(mediaRules.image).toMatchObject({ bucket: 'images', folder: 'resource-images' })
  expect(mediaRules.audio).toMatchObject({ bucket: 'audio', folder: 'resource-audio' })
})

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
