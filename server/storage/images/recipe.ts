import { z } from 'zod'

/** How a picture is wanted, in the few sizes and qualities that there are. */
export interface Recipe {
  width: number | undefined
  height: number | undefined
  resize: 'cover' | 'contain' | 'fill'
  quality: number
  format: 'avif' | 'webp' | 'origin'
}

/** Sizes that pages and screens need. Any wish is met by the next larger one, so that variants stay few. */
const SIZES = [160, 320, 480, 640, 960, 1280, 1600]
const QUALITIES = [50, 80]

const Pixels = z.coerce.number().int().min(1).max(10_000).optional()

/** The query of /render/image, and the `transform` of a signed address. */
export const Wish = z.object({
  width: Pixels,
  height: Pixels,
  resize: z.enum(['cover', 'contain', 'fill']).default('cover'),
  quality: z.coerce.number().int().min(20).max(100).default(80),
  format: z.enum(['origin', 'avif', 'webp']).optional(),
})
export type Wish = z.infer<typeof Wish>

/** Turns a wish into the nearest recipe; without a wish for a format, the best that the reader takes. */
export const toRecipe = (wish: Wish, accept: string): Recipe => ({
  width: wish.width && nextOf(SIZES, wish.width),
  height: wish.height && nextOf(SIZES, wish.height),
  // With one side given there is nothing to cut off or to stretch.
  resize: wish.width && wish.height ? wish.resize : 'cover',
  quality: nextOf(QUALITIES, wish.quality),
  format:
    wish.format ??
    (accept.includes('image/avif') ? 'avif' : accept.includes('image/webp') ? 'webp' : 'origin'),
})

/** The name under which a variant is kept. */
export const recipeName = ({ width, height, resize, quality, format }: Recipe): string =>
  `${width ?? ''}x${height ?? ''}-${resize}-${quality}.${format}`

const nextOf = (steps: readonly number[], wanted: number): number =>
  steps.find((step) => step >= wanted) ?? steps.at(-1) ?? wanted
