import sniffEncoding from 'html-encoding-sniffer'
import { encodingMessages } from '../article/encoding.ts'
import { importDocx } from './docx.ts'
import { ImportError, importErrors, importHtml } from './html.ts'

/** What an uploaded file brings to the form. */
export interface ImportedArticle {
  /** Not sanitised: that happens wherever it is shown. */
  html: string
  /** From Word's title style, or what comes nearest to it. */
  title?: string
  /** From the paragraph after Word's title. */
  description?: string
  /** For a link field that is empty. */
  link: string
  /** The file was written by Word. */
  word: boolean
  /** What did not come through, in plain words. */
  notes: string[]
}

/** The API takes 10 MB at once, and base64 makes four bytes of three. */
const MAX_BYTES = 7 * 1024 * 1024

const GUESSED =
  'The file does not say how its characters are encoded. Please check accents and quotes in the preview.'

const startsWith = (bytes: Uint8Array, ...signature: number[]) =>
  signature.every((byte, index) => bytes[index] === byte)

const isZip = (bytes: Uint8Array) => startsWith(bytes, 0x50, 0x4b, 0x03, 0x04)
const isOldOffice = (bytes: Uint8Array) => startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0)

const importText = (bytes: Uint8Array) => {
  if (bytes.length > MAX_BYTES) throw importErrors.tooLarge()
  const { text, isGuess } = decodeText(bytes)
  if (/^\s*MIME-Version:/i.test(text)) throw importErrors.webArchive()
  if (!/[<>]/.test(text)) throw importErrors.noHtml()
  const imported = importHtml(text)
  const isLossy = text.includes('\ufffd')
  return {
    ...imported,
    notes: [...(isLossy ? [encodingMessages.lossy] : []), ...(isGuess ? [GUESSED] : []), ...imported.notes],
  }
}

const importBytes = (bytes: Uint8Array) => {
  if (isZip(bytes)) return importDocx(bytes)
  if (isOldOffice(bytes)) throw importErrors.oldWord()
  return importText(bytes)
}

/**
 * Reads an uploaded article: HTML, as Word or anything else exports it, or a .docx document (specification, section 5).
 * Throws `ImportError` with words for the form (section 8).
 */
export const importArticle = async ({
  name,
  bytes,
}: {
  name: string
  bytes: Uint8Array
}): Promise<ImportedArticle> => {
  try {
    const imported = await importBytes(bytes)
    if (new TextEncoder().encode(imported.html).length > MAX_BYTES) throw importErrors.tooLarge()
    return { ...imported, link: imported.word ? `word/${name}` : `/html/${name}` }
  } catch (error) {
    throw error instanceof ImportError ? error : importErrors.unprocessable(error)
  }
}

/** The same for a file as a browser gives it. Throws `ImportError`, also when the file cannot be read. */
export const importArticleFile = async (file: File): Promise<ImportedArticle> => {
  const buffer = await file.arrayBuffer().catch((error: unknown) => {
    throw importErrors.unreadable(error)
  })
  return importArticle({ name: file.name, bytes: new Uint8Array(buffer) })
}

/** A file's text, and whether its encoding had to be guessed. */
export interface DecodedText {
  text: string
  isGuess: boolean
}

/**
 * Reads a text file as it was meant: in UTF-16 where its bytes show it, in what it says of itself, as UTF-8, and else as
 * Windows-1252, in which Word saves. UTF-8 is believed before a claim of Windows-1252: text of one kind is hardly ever
 * sound in the other. Throws `ImportError` for what is no text.
 */
export const decodeText = (bytes: Uint8Array): DecodedText => {
  const sniffed = sniffEncoding(bytes, { defaultEncoding: UNKNOWN })
  const certain = hasUtf8Mark(bytes) || sniffed.startsWith('UTF-16') ? sniffed : unmarkedUtf16(bytes)
  const text =
    (certain && decode(bytes, certain)) ??
    (sniffed !== WESTERN ? decode(bytes, sniffed, true) : undefined) ??
    decode(bytes, 'UTF-8', true)
  const found = text ?? decode(bytes, WESTERN) ?? ''
  if (found.includes('\0')) throw importErrors.unprocessable()
  return { text: found, isGuess: text === undefined && sniffed !== WESTERN }
}

const WESTERN = 'windows-1252'
/** No decoder has this name. */
const UNKNOWN = 'unknown'

const hasUtf8Mark = ([first, second, third]: Uint8Array) =>
  first === 0xef && second === 0xbb && third === 0xbf

/** Markup in UTF-16 that does not say so, which browsers read wrongly: every other byte of its first tag is zero. */
const unmarkedUtf16 = ([first, second, third, fourth]: Uint8Array) => {
  if (first && second === 0 && third && fourth === 0) return 'UTF-16LE'
  return first === 0 && second && third === 0 && fourth ? 'UTF-16BE' : undefined
}

const decode = (bytes: Uint8Array, label: string, fatal = false) => {
  try {
    return new TextDecoder(label, { fatal }).decode(bytes)
  } catch {
    return undefined
  }
}
