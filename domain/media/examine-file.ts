import { detectType, HEAD_BYTES } from './detect-type.ts'
import { fitsLabel, isAllowed } from './media-type.ts'
import { type MediaKind, mediaRules } from './rules.ts'

const EMPTY = 'This file is empty. Please choose a different one.'

/** A file that may be stored, or why not. */
type Examined = { type: string; problem?: undefined } | { problem: string }

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
