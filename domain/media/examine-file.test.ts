import { describe, expect, it } from 'vitest'
import { examineFile } from './examine-file.ts'
import { mp4Of } from './mp4-fixture.ts'
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
