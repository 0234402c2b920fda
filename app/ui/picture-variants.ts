/** The widths that a storage makes pictures in, in pixels. */
const WIDTHS = [160, 320, 480, 640, 960, 1280, 1600]

/**
 * The sizes in which a picture can be had, as `srcset` wants them; undefined for addresses outside a storage, and for
 * drawings and moving pictures, which are served as they are.
 */
export function pictureVariants(address: string): string | undefined {
  const [origin, file] = address.split('/storage/v1/object/public/')
  if (!file || /[\s,?#]|\.(svg|gif)$/i.test(file)) return
  // Told only a width, a hosted project cuts off what is too high for its taste, unless the picture is to be contained.
  const at = (width: number) =>
    `${origin}/storage/v1/render/image/public/${file}?width=${width}&resize=contain ${width}w`
  return WIDTHS.map(at).join()
}
