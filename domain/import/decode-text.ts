import { importErrors } from './import-error.ts'

/** A file's text, and whether its encoding had to be guessed. */
export interface DecodedText {
  text: string
  isGuess: boolean
}

/** Browsers look no further for a declaration either. */
const HEAD_BYTES = 1024
const declaration = /<meta[^>]+charset\s*=\s*["']?\s*([\w:-]+)|<\?xml[^>]+encoding\s*=\s*["']([\w:-]+)/i
const western = 'windows-1252'

const decode = (bytes: Uint8Array, label: string, fatal = false) => {
  try {
    return new TextDecoder(label, { fatal }).decode(bytes)
  } catch {
    return undefined
  }
}

const byteOrderMark = (bytes: Uint8Array) => {
  const [first, second, third] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : undefined
}

/** Markup in UTF-16 without a mark: every other byte of its first tag is zero. */
const unmarkedUtf16 = ([first, second, third, fourth]: Uint8Array) => {
  if (first && second === 0 && third && fourth === 0) return 'utf-16le'
  return first === 0 && second && third === 0 && fourth ? 'utf-16be' : undefined
}

/** The canonical name of the encoding that a file says it has. UTF-16 cannot be said in single bytes, so it is no claim. */
const declaredEncoding = (bytes: Uint8Array) => {
  const [, meta, xml] = declaration.exec(decode(bytes.subarray(0, HEAD_BYTES), western) ?? '') ?? []
  try {
    const { encoding } = new TextDecoder(meta ?? xml)
    return (meta ?? xml) && !encoding.startsWith('utf-16') ? encoding : undefined
  } catch {
    return undefined
  }
}

/**
 * Reads a text file as it was meant: by its byte order mark, by what it says of itself, as UTF-8, and else as
 * Windows-1252, in which Word saves. UTF-8 is believed before a claim of Windows-1252: text of one kind is hardly ever
 * sound in the other. Throws `ImportError` for what is no text.
 */
export const decodeText = (bytes: Uint8Array): DecodedText => {
  const certain = byteOrderMark(bytes) ?? unmarkedUtf16(bytes)
  const declared = declaredEncoding(bytes)
  const text =
    (certain && decode(bytes, certain)) ??
    (declared && declared !== western ? decode(bytes, declared, true) : undefined) ??
    decode(bytes, 'utf-8', true)
  const found = text ?? decode(bytes, western) ?? ''
  if (found.includes('\0')) throw importErrors.unprocessable()
  return { text: found, isGuess: text === undefined && declared !== western }
}
