import { z } from 'zod'

/** How a picture is wanted, in the few sizes and qualities that there are. */
export interface ImagePreset {
  width: number | undefined
  height: number | undefined
  resize: 'cover' | 'contain' | 'fill'
  quality: number
  format: 'avif' | 'webp' | 'origin'
}

/** Sizes that pages and screens need. Any other is met by the next larger one, so that variants stay few. */
const SIZES = [160, 320, 480, 640, 960, 1280, 1600]
const QUALITIES = [50, 80]

const Pixels = z.coerce.number().int().min(1).max(10_000).optional()

/** The query of /render/image, and the `transform` of a signed address. */
export const TransformOptions = z.object({
  width: Pixels,
  height: Pixels,
  resize: z.enum(['cover', 'contain', 'fill']).default('cover'),
  quality: z.coerce.number().int().min(20).max(100).default(80),
  format: z.enum(['origin', 'avif', 'webp']).optional(),
})
export type TransformOptions = z.infer<typeof TransformOptions>

/** The nearest preset; unless the options name a format, with the best that the reader takes. */
export const toPreset = (options: TransformOptions, accept: string): ImagePreset => ({
  width: options.width && nextOf(SIZES, options.width),
  height: options.height && nextOf(SIZES, options.height),
  // With one side given there is nothing to cut off or to stretch.
  resize: options.width && options.height ? options.resize : 'cover',
  quality: nextOf(QUALITIES, options.quality),
  format:
    options.format ??
    (accept.includes('image/avif') ? 'avif' : accept.includes('image/webp') ? 'webp' : 'origin'),
})

/** The name under which a variant is kept. */
export const presetName = ({ width, height, resize, quality, format }: ImagePreset): string =>
  `${width ?? ''}x${height ?? ''}-${resize}-${quality}.${format}`

const nextOf = (steps: readonly number[], wanted: number): number =>
  steps.find((step) => step >= wanted) ?? steps.at(-1) ?? wanted
