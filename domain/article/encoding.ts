/** What a stored article turned out to be. */
export type DecodedArticle = { state: 'empty' } | { state: 'html'; html: string } | { state: 'undecodable' }

// String.fromCharCode takes its bytes as arguments, and a megabyte of arguments overflows the stack.
const chunkSize = 0x8000

const toBytes = (binary: string) => {
  const bytes = new Uint8Array(binary.length)
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index)
  return bytes
}

const toBinary = (bytes: Uint8Array) => {
  let binary = ''
  for (let start = 0; start < bytes.length; start += chunkSize) {
    binary += String.fromCharCode(...bytes.subarray(start, start + chunkSize))
  }
  return binary
}

/**
 * Reads the column `article_content`: base64 of UTF-8 HTML. Line breaks in it and missing padding are
 * forgiven; bytes that are not UTF-8 are not guessed at. NUL characters, which no page can hold, are dropped.
 */
export const decodeArticle = (stored: string | null): DecodedArticle => {
  try {
    const bytes = toBytes(atob(stored ?? ''))
    const html = new TextDecoder('utf-8', { fatal: true }).decode(bytes).replaceAll('\0', '')
    return html.trim() === '' ? { state: 'empty' } : { state: 'html', html }
  } catch {
    return { state: 'undecodable' }
  }
}

/** The column's text for an article; half surrogate pairs, which UTF-8 cannot hold, become U+FFFD. */
export const encodeArticle = (html: string) => btoa(toBinary(new TextEncoder().encode(html)))

/** Whether encoding the text would lose characters: half surrogate pairs become U+FFFD, and NUL is dropped on reading. */
export const losesCharacters = (html: string) => !html.isWellFormed() || html.includes('\0')

/** What a form says about an article's text (specification, section 8). */
export const encodingMessages = {
  undecodable: 'Error decoding content. The content may contain invalid characters.',
  lossy: 'Content contains characters that cannot be encoded properly. Some characters may be lost.',
} as const
