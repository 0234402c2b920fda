import './responsive-image.css'

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
export const ResponsiveImage = ({ src, alt, loading, sizes, className }: FittingPictureProps) => (
  <img
    className={`responsive-image ${className}`}
    width={1600}
    height={900}
    loading={loading === 'lazy' ? 'lazy' : 'eager'}
    fetchPriority={loading === 'first' ? 'high' : undefined}
    decoding="async"
    sizes={loading === 'lazy' ? `auto,${sizes}` : sizes}
    srcSet={imageSrcSet(src)}
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

/** The widths that a storage makes pictures in, in pixels. */
const WIDTHS = [160, 320, 480, 640, 960, 1280, 1600]

/**
 * The sizes in which a picture can be had, as `srcset` wants them; undefined for addresses outside a storage, and for
 * drawings and moving pictures, which are served as they are.
 */
export function imageSrcSet(address: string): string | undefined {
  const [origin, file] = address.split('/storage/v1/object/public/')
  if (!file || /[\s,?#]|\.(svg|gif)$/i.test(file)) return
  // Told only a width, a hosted project cuts off what is too high for its taste, unless the picture is to be contained.
  const at = (width: number) =>
    `${origin}/storage/v1/render/image/public/${file}?width=${width}&resize=contain ${width}w`
  return WIDTHS.map(at).join()
}
