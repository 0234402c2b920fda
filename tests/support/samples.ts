/** The smallest real files of each kind, for uploads. */

export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
export const jpeg = Buffer.concat([
  Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'),
  Buffer.alloc(64),
])
export const svg = Buffer.from(
  '<?xml version="1.0"?><!-- a circle --><svg xmlns="http://www.w3.org/2000/svg"></svg>',
)
/** MPEG frames of layer 3, as a recording without any tags begins. */
export const mp3 = Buffer.concat(
  Array.from({ length: 12 }, () => Buffer.concat([Buffer.from('fffb9064', 'hex'), Buffer.alloc(413)])),
)
/** A recording with a cover of 300 KB in front of the sound. */
export const mp3WithCover = Buffer.concat([
  Buffer.from('4944330300000012277600', 'hex'),
  Buffer.alloc(300_000),
  mp3,
])
export const mp4 = Buffer.concat([
  Buffer.from('0000001c667479706d70343200000000', 'hex'),
  Buffer.from('mp42isom'),
  Buffer.alloc(64),
])
export const wav = Buffer.concat([Buffer.from('RIFF\x24\x00\x00\x00WAVEfmt ', 'latin1'), Buffer.alloc(64)])
export const pdf = Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj\n', 'latin1')
