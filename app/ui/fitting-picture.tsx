import { pictureVariants } from './picture-variants.ts'
import './fitting-picture.css'

/** lazy: when it comes near; eager: at once; first: before everything else, because it is the largest thing seen. */
export type Loading = 'lazy' | 'eager' | 'first'

interface FittingPictureProps {
  src: string
  alt: string
  loading: Loading
  /** How wide it is shown, as `sizes` wants it. A browser that can measure a lazy picture does not need it. */
  sizes: string
  className: string
}

/** A picture, 16 to 9, in the size that the screen needs. Its place is kept, in quiet colours, until it is there. */
export const FittingPicture = ({ src, alt, loading, sizes, className }: FittingPictureProps) => (
  <img
    className={`fitting-picture ${className}`}
    width={1600}
    height={900}
    loading={loading === 'lazy' ? 'lazy' : 'eager'}
    fetchPriority={loading === 'first' ? 'high' : undefined}
    decoding="async"
    sizes={loading === 'lazy' ? `auto,${sizes}` : sizes}
    srcSet={pictureVariants(src)}
    src={src}
    alt={alt}
    ref={orWhole}
    onError={(event) => orWhole(event.currentTarget)}
  />
)

/** Where a size cannot be had the whole picture is shown; also if that was so before the page's script began. */
function orWhole(picture: HTMLImageElement | null): void {
  if (picture?.complete && !picture.naturalWidth) picture.removeAttribute('srcset')
}
