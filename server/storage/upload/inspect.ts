import { fileTypeFromBuffer } from 'file-type'
import { storageErrors } from '../errors.ts'
import { fitsLabel, isMedia, SVG } from './media-type.ts'

/** As much as file-type wants to see of a file. */
const HEAD_BYTES = 4100

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

/** The type that a file's first bytes show; undefined for texts and for what nobody knows. */
export async function detectType(head: Uint8Array): Promise<string | undefined> {
  const found = await fileTypeFromBuffer(head.subarray(0, HEAD_BYTES))
  return found && found.mime !== 'application/xml' ? found.mime : isSvg(head) ? SVG : found?.mime
}

/** What may stand before the root element of an XML document. One at a time: all in one pattern would backtrack. */
const PROLOGUE = /^(\uFEFF|\s+|<\?[^>]*\?>|<!--[\s\S]*?-->|<!DOCTYPE[^>[]*(\[[^\]]*\])?[^>]*>)/i

function isSvg(head: Uint8Array): boolean {
  let text = Buffer.from(head.subarray(0, HEAD_BYTES)).toString('utf8')
  for (;;) {
    const before = PROLOGUE.exec(text)?.[0]
    if (!before) return /^<svg[\s>/]/i.test(text)
    text = text.slice(before.length)
  }
}
