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
