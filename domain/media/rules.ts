export type MediaKind = 'image' | 'audio'

/** What may be stored, where, and what is said of the rest (specification, sections 3, 5 and 8). */
interface MediaRules {
  bucket: string
  folder: string
  /** The bucket's own limits (supabase/migrations): what passes here passes there. */
  types: readonly string[]
  maxBytes: number
  wrongType: string
  tooLarge: string
}

const MEGABYTE = 1024 * 1024

export const mediaRules: Readonly<Record<MediaKind, MediaRules>> = {
  image: {
    bucket: 'images',
    folder: 'resource-images',
    types: ['image/*'],
    maxBytes: 5 * MEGABYTE,
    wrongType: 'Please select an image file',
    tooLarge: 'Image size must be less than 5MB',
  },
  audio: {
    bucket: 'audio',
    folder: 'resource-audio',
    types: ['audio/*', 'video/mp4'],
    maxBytes: 50 * MEGABYTE,
    wrongType: 'Please select an audio file (including .mp4 files with audio content)',
    tooLarge: 'Audio size must be less than 50MB',
  },
}

/** A picker lists this many files, and the duplicate check looks at so many (specification, section 9). */
export const PICKER_LIMIT = 100
export const DUPLICATE_LIMIT = 1000

export const duplicateMessage = (name: string) =>
  `A file named "${name}" already exists. Please rename your file or choose a different one.`

/** Where the site is, and where the storage: the same place, or a hosted project. */
interface Origins {
  siteUrl: string
  apiUrl: string
}

const STORED = /^\/storage\/v1\/object\/public\/(.+)$/
const isStored = (address: string) => address.startsWith('/storage/')

/** The address for a form: full, whatever is kept. */
export const shownAddress = (kept: string, { apiUrl, siteUrl }: Origins) => {
  if (isStored(kept)) return apiUrl + kept
  return kept.startsWith('/') ? siteUrl + kept : kept
}

/** The address to keep: of this site and its storage without the origin (design, section 6), so that a site can move. */
export const keptAddress = (shown: string, { apiUrl, siteUrl }: Origins) => {
  const address = shown.trim()
  if (address.startsWith(`${apiUrl}/storage/`)) return address.slice(apiUrl.length)
  return address.startsWith(`${siteUrl}/`) ? address.slice(siteUrl.length) : address
}

/** Where a file of a name lies in its bucket. */
export const pathOfFile = (kind: MediaKind, name: string) => `${mediaRules[kind].folder}/${name}`

/** The kept address of a stored file. @param path its name in the bucket, with folders */
export const addressOfFile = (bucket: string, path: string) =>
  `/storage/v1/object/public/${bucket}/${path.split('/').map(encodeURIComponent).join('/')}`

/** A stored picture in a width that fits a small frame; another picture is as large as it is. */
export const thumbnailAddress = (kept: string, origins: Origins, width: number) => {
  const path = STORED.exec(kept)?.[1]
  return path
    ? `${origins.apiUrl}/storage/v1/render/image/public/${path}?width=${width}`
    : shownAddress(kept, origins)
}

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
