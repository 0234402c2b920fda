import { detectType, fitsLabel, HEAD_BYTES, isMedia } from '#domain/media/media-type.ts'
import { storageErrors } from '../errors.ts'

interface Rules {
  /** What the sender says that it is. */
  label: string
  allowedTypes: readonly string[] | null
  maxBytes: number
}

/**
 * Passes an upload on, and breaks it off as soon as it grows too large or turns out not to be what its label says: before
 * a single byte of a wrong type has passed. Errors: EntityTooLarge, InvalidMimeType, and what the source throws.
 */
export async function* inspect(bytes: AsyncIterable<Uint8Array>, rules: Rules): AsyncGenerator<Uint8Array> {
  const held: Uint8Array[] = []
  let size = 0
  let isChecked = false
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > rules.maxBytes) throw storageErrors.tooLarge()
    if (isChecked) {
      yield chunk
      continue
    }
    held.push(chunk)
    if (size < HEAD_BYTES) continue
    await checkContent(Buffer.concat(held), rules)
    isChecked = true
    yield* held.splice(0)
  }
  if (isChecked) return
  await checkContent(Buffer.concat(held), rules)
  yield* held
}

async function checkContent(head: Uint8Array, { label, allowedTypes }: Rules): Promise<void> {
  if (head.length === 0) {
    if (isMedia(label)) throw storageErrors.empty(label)
    return
  }
  if (!fitsLabel(label, await detectType(head), allowedTypes)) throw storageErrors.notWhatItSays(label)
}
