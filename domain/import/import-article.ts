import { encodingMessages } from '../article/encoding.ts'
import { decodeText } from './decode-text.ts'
import { importDocx } from './docx.ts'
import { importHtml } from './html.ts'
import { ImportError, importErrors } from './import-error.ts'

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
