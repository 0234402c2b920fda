import type { Sharp } from 'sharp'
import { storageErrors } from '../errors.ts'
import type { Recipe } from './recipe.ts'

/** A small file can unfold into a picture that fills all memory. */
const MAX_PIXELS = 50_000_000

/** Types that have no size of their own, or move: they are served as they are. */
const LEFT_ALONE = new Set(['image/svg+xml', 'image/gif', 'image/apng'])

export const canTransform = (mimetype: string): boolean =>
  mimetype.startsWith('image/') && !LEFT_ALONE.has(mimetype)

export interface Picture {
  bytes: Uint8Array
  mimetype: string
}

/** Makes a variant of a picture, upright and never larger than it is. Errors: InvalidRequest for a broken picture. */
export async function transform(bytes: Uint8Array, recipe: Recipe): Promise<Picture> {
  // Worth 50 MB of memory; a service that shows no pictures never loads it.
  const { default: sharp } = await import('sharp')
  // Each variant is made once: what libvips would remember of it is never asked for again.
  sharp.cache(false)
  // One processor per picture: the others are for the readers.
  sharp.concurrency(1)
  const { width, height, resize } = recipe
  const picture = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
    .autoOrient()
    .resize({
      ...(width && { width }),
      ...(height && { height }),
      fit: resize === 'contain' ? 'inside' : resize,
      withoutEnlargement: true,
    })
  try {
    const { data, info } = await encode(picture, recipe).toBuffer({ resolveWithObject: true })
    return { bytes: data, mimetype: info.format === 'heif' ? 'image/avif' : `image/${info.format}` }
  } catch (error) {
    throw storageErrors.invalid('The picture cannot be read', error)
  }
}

/** Little effort for AVIF: a reader waits, and more would gain a few percent. */
function encode(picture: Sharp, { format, quality }: Recipe): Sharp {
  if (format === 'avif') return picture.avif({ quality: Math.round(quality * 0.7), effort: 2 })
  return format === 'webp' ? picture.webp({ quality }) : picture
}
