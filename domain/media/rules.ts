import { detectType, HEAD_BYTES } from './detect-type.ts'
import { fitsLabel, isAllowed } from './media-type.ts'

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

const EMPTY = 'This file is empty. Please choose a different one.'

/** A file that may be stored, or why not. */
export type Examined = { type: string; problem?: undefined } | { problem: string }

/**
 * Looks at a chosen file: its label, its size, and its first bytes, which cannot be mislabelled. Exactly as large as the
 * limit is allowed, as it is by the server. A file without a label gets the one that its bytes show.
 */
export async function examineFile(kind: MediaKind, file: Blob): Promise<Examined> {
  const { types, maxBytes, wrongType, tooLarge } = mediaRules[kind]
  if (file.type && !isAllowed(file.type, types)) return { problem: wrongType }
  if (file.size === 0) return { problem: EMPTY }
  if (file.size > maxBytes) return { problem: tooLarge }
  const detected = await detectType(new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer()))
  const type = file.type || detected
  if (!type || !isAllowed(type, types) || !fitsLabel(type, detected, types)) return { problem: wrongType }
  return { type }
}
