const MAX_BYTES = 160
const MAX_EXTENSION = 10

/** Signs that mean something in an address, on a disk, or to Supabase's storage, and characters that nobody sees. */
const unsafe = /[^\p{L}\p{M}\p{N} ._()&+,!'@=-]+/gu

const bytesOf = (text: string) => new TextEncoder().encode(text).length

/** Latin letters without their accents: hosted storage takes no others. */
const withoutAccents = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFC')

const cutTo = (text: string, bytes: number) => {
  const characters = [...text]
  while (bytesOf(characters.join('')) > bytes) characters.pop()
  return characters.join('').trimEnd()
}

/**
 * The name under which a file is stored: the name it has, as far as addresses and disks bear it. Folders before it,
 * control characters and dots at its beginning are left out; a long one keeps its beginning and its extension.
 */
export const safeFileName = (name: string) => {
  const last = name.toWellFormed().split(/[\\/]/).at(-1) ?? ''
  const clean = withoutAccents(last)
    .replace(/\p{C}+/gu, '')
    .replace(unsafe, '-')
    .replace(/\s+/g, ' ')
    .replace(/^[ .]+|[ .]+$/g, '')
  const dot = clean.lastIndexOf('.')
  const extension = dot > 0 && clean.length - dot <= MAX_EXTENSION ? clean.slice(dot) : ''
  const stem = clean.slice(0, clean.length - extension.length)
  return `${cutTo(stem, MAX_BYTES - bytesOf(extension)) || 'file'}${extension}`
}
