import { imageSrcSet } from '#app/ui/responsive-image.tsx'

// As the sanitiser writes it: attributes in this order, quotes inside a value escaped.
const ownPicture = /<img src="(\/storage\/v1\/object\/public\/[^"]+)"([^>]*? width="(\d+)")/g

/**
 * Lets pictures of our own storage come in the size that the screen needs. Only where the article says how wide one is:
 * otherwise its width would follow from the file that came.
 * @param html a sanitised article
 */
export const fitPictures = (html: string): string =>
  html.replace(ownPicture, (whole, src: string, rest: string, width: string) => {
    const variants = imageSrcSet(src.replaceAll('&#x26;', '&'))
    if (!variants) return whole
    const srcset = variants.replaceAll('&', '&#x26;')
    return `<img src="${src}" srcset="${srcset}" sizes="(max-width:${width}px) 100vw,${width}px"${rest}`
  })
