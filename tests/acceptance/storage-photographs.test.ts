import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { storages, type TestStorage } from '#tests/support/storage.ts'

/** Sideways, red on top once it is upright, and full of what a phone writes into it. */
async function photograph(format: 'jpeg' | 'png' | 'webp' | 'tiff' | 'avif'): Promise<Buffer> {
  const red = { create: { width: 60, height: 40, channels: 3 as const, background: 'red' } }
  return sharp({ create: { width: 120, height: 40, channels: 3, background: 'blue' } })
    .composite([{ input: await sharp(red).png().toBuffer(), left: 0, top: 0 }])
    .withExif({
      IFD0: { Make: 'SecretPhone', ImageDescription: 'our garden' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '48/1 8/1 0/1' },
    })
    .withMetadata({ orientation: 6 })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><home>Elm Street 7</home></x:xmpmeta>')
    .toFormat(format, { lossless: true })
    .toBuffer()
}

describe.each(storages)('photographs on %s', (_name, open) => {
  let storage: TestStorage
  beforeAll(async () => {
    storage = await open()
  })
  afterAll(() => storage.close())
  const images = () => storage.as('admin').from('images')
  const stored = async (name: string) =>
    Buffer.from((await (await images().download(name)).data?.arrayBuffer()) ?? new ArrayBuffer())

  it.each(['jpeg', 'png', 'webp', 'avif', 'tiff'] as const)(
    'a %s loses place, camera and words on upload, and stands upright',
    async (format) => {
      const source = await photograph(format)
      expect(['SecretPhone', 'Elm Street'].some((word) => source.includes(word))).toBe(true)
      const { error } = await images().upload(`garden.${format}`, source, { contentType: `image/${format}` })
      expect(error).toBeNull()
      const bytes = await stored(`garden.${format}`)
      const { exif, xmp, iptc, orientation, width, height, format: kept } = await sharp(bytes).metadata()
      expect({ exif, xmp, iptc }).toEqual({ exif: undefined, xmp: undefined, iptc: undefined })
      expect([orientation ?? 1, kept === 'heif' ? 'avif' : kept]).toEqual([1, format])
      expect([width, height]).toEqual(format === 'avif' ? [width, height] : [40, 120])
      for (const word of ['SecretPhone', 'garden', 'Elm Street']) expect(bytes.includes(word)).toBe(false)
      const { data: size } = await images().info(`garden.${format}`)
      expect(size?.size).toBe(bytes.length)
    },
  )

  it('a picture that tells nothing is stored byte by byte', async () => {
    const plain = await sharp({ create: { width: 50, height: 50, channels: 3, background: 'green' } })
      .jpeg()
      .toBuffer()
    await images().upload('plain.jpg', plain, { contentType: 'image/jpeg' })
    expect((await stored('plain.jpg')).equals(plain)).toBe(true)
  })

  it('words in a PNG go too', async () => {
    const source = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'green' } })
      .png()
      .toBuffer()
    // A tEXt chunk in front of the picture's end.
    const text = Buffer.from('Comment\0Elm Street 7', 'latin1')
    const { crc32 } = await import('node:zlib')
    const chunk = Buffer.concat([Buffer.alloc(4), Buffer.from('tEXt'), text, Buffer.alloc(4)])
    chunk.writeUInt32BE(text.length, 0)
    chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4)
    const worded = Buffer.concat([source.subarray(0, -12), chunk, source.subarray(-12)])
    await images().upload('worded.png', worded, { contentType: 'image/png' })
    expect((await stored('worded.png')).includes('Elm Street')).toBe(false)
  })
})
