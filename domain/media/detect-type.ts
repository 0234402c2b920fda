import { fileTypeFromBuffer } from 'file-type'
import { SVG } from './media-type.ts'

/** As much of a file as must be seen to tell its type. */
export const HEAD_BYTES = 4100

/** What may stand before the root element of an XML document. One at a time: all in one pattern would backtrack. */
const PROLOGUE = /^(\uFEFF|\s+|<\?[^>]*\?>|<!--[\s\S]*?-->|<!DOCTYPE[^>[]*(\[[^\]]*\])?[^>]*>)/i

/** The type that a file's first bytes show; undefined for texts and for what nobody knows. */
export async function detectType(head: Uint8Array): Promise<string | undefined> {
  const found = await fileTypeFromBuffer(head.subarray(0, HEAD_BYTES))
  return found && found.mime !== 'application/xml' ? found.mime : isSvg(head) ? SVG : found?.mime
}

function isSvg(head: Uint8Array): boolean {
  let text = new TextDecoder().decode(head.subarray(0, HEAD_BYTES))
  for (;;) {
    const before = PROLOGUE.exec(text)?.[0]
    if (!before) return /^<svg[\s>/]/i.test(text)
    text = text.slice(before.length)
  }
}
