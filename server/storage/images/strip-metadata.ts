import type { Metadata, Sharp } from 'sharp'
import { storageErrors } from '../errors.ts'

/** What a phone takes has a fifth of this. Larger files are no photographs of parents, and are stored as they come. */
const MAX_BYTES = 25 * 1024 * 1024
const MAX_PIXELS = 100_000_000

/** Vector graphics have no camera, and would become bitmaps. */
const hasCamera = (mimetype: string): boolean => /^image\/(?!svg\+xml)/i.test(mimetype)

/**
 * Passes an upload on; a photograph without the place, time and camera that it was taken with (Exif, XMP, IPTC, text):
 * whoever may see the picture must not learn where a child lives. What has none of it passes unchanged, byte by byte;
 * all else is encoded anew in its own format, upright, with its colours' profile.
 * Errors: InvalidRequest for a format that cannot be written here and does hold such data; what the source throws.
 */
export async function* stripMetadata(
  bytes: AsyncIterable<Uint8Array>,
  mimetype: string,
): AsyncGenerator<Uint8Array> {
  if (!hasCamera(mimetype)) return yield* bytes
  const held: Uint8Array[] = []
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > MAX_BYTES) {
      yield* held.splice(0)
      yield chunk
    } else held.push(chunk)
  }
  if (held.length > 0) yield await withoutMetadata(Buffer.concat(held))
}

async function withoutMetadata(picture: Uint8Array): Promise<Uint8Array> {
  // Worth 50 MB of memory, and needed by uploads only.
  const { default: sharp } = await import('sharp')
  const options = { limitInputPixels: MAX_PIXELS, failOn: 'none', animated: true } as const
  const metadata = await sharp(picture, options)
    .metadata()
    .catch(() => undefined)
  // What no reader of ours understands is judged elsewhere, by its type.
  if (!metadata || !tellsTooMuch(metadata, picture)) return picture
  try {
    const upright = sharp(picture, options).autoOrient().keepIccProfile()
    return await encodeAs(upright, metadata).toBuffer()
  } catch (cause) {
    throw storageErrors.invalid(
      'The picture says where or with what it was taken, and that cannot be removed from its format. Save it as JPEG, PNG or WebP, and try again.',
      cause,
    )
  }
}

const tellsTooMuch = ({ exif, xmp, iptc, format }: Metadata, picture: Uint8Array): boolean =>
  Boolean(exif || xmp || iptc) ||
  // Of a TIFF's own tags libvips does not tell.
  format === 'tiff' ||
  (format === 'png' && hasTextChunk(picture))

/** Text may stand behind the pixels of a PNG. The names could occur in pixels, too: then it is encoded anew for nothing. */
const hasTextChunk = (picture: Uint8Array): boolean =>
  ['tEXt', 'zTXt', 'iTXt', 'eXIf'].some((name) =>
    Buffer.from(picture.buffer, picture.byteOffset, picture.byteLength).includes(name),
  )

/** So little is lost that nobody sees it. */
const QUALITY = 95

function encodeAs(picture: Sharp, { format, compression }: Metadata): Sharp {
  if (format === 'jpeg') return picture.jpeg({ quality: QUALITY, chromaSubsampling: '4:4:4' })
  if (format === 'webp') return picture.webp({ quality: QUALITY })
  if (format === 'heif' && compression === 'av1') return picture.avif({ quality: QUALITY, effort: 2 })
  return picture.toFormat(format)
}
