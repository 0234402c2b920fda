import { docxNotes } from './docx-notes.ts'
import { readHeadings } from './headings.ts'
import { parseHtml } from './html.ts'
import { importErrors } from './import-error.ts'
import { writePlain } from './write-plain.ts'
import { zipDirectory } from './zip-directory.ts'

/** Unpacked, a document of hundreds of pages with its pictures is smaller; an archive made to fill memory is not. */
const MAX_UNPACKED_BYTES = 256 * 1024 * 1024

/** Word's own styles that mean more than how they look. */
const styles = [
  "p[style-name='Title'] => h1.MsoTitle:fresh",
  "p[style-name='Subtitle'] => p.MsoSubtitle:fresh",
  "p[style-name='List Paragraph'] => p:fresh",
  "p[style-name='No Spacing'] => p:fresh",
  "p[style-name='Body Text'] => p:fresh",
  "p[style-name='Normal (Web)'] => p:fresh",
  "p[style-name='caption'] => p:fresh",
  "p[style-name='Quote'] => blockquote > p:fresh",
  "p[style-name='Intense Quote'] => blockquote > p:fresh",
  "r[style-name='Emphasis'] => em",
  "r[style-name='Subtle Emphasis'] => em",
  "r[style-name='Intense Emphasis'] => strong > em",
  'u => u',
  'strike => s',
]

/** Throws `ImportError` unless the bytes are a Word document of a size that can be unpacked. */
const checkArchive = (bytes: Uint8Array) => {
  const entries = zipDirectory(bytes)
  if (entries.length === 0) throw importErrors.unreadable()
  if (!entries.some(({ name }) => /^word\/document\d*\.xml$/.test(name))) throw importErrors.noDocx()
  if (entries.reduce((sum, { size }) => sum + size, 0) > MAX_UNPACKED_BYTES) throw importErrors.tooLarge()
}

/** Unpacks and translates; the translator is downloaded when the first document comes. */
const convert = async (bytes: Uint8Array) => {
  const { default: mammoth } = await import('mammoth')
  // Browsers read the first, Node the second.
  const input = { arrayBuffer: bytes.slice().buffer, buffer: bytes }
  try {
    return await mammoth.convertToHtml(input, { styleMap: styles })
  } catch (error) {
    throw importErrors.unreadable(error)
  }
}

/** What a .docx document holds, its pictures inside. Throws `ImportError`. */
export const importDocx = async (bytes: Uint8Array) => {
  checkArchive(bytes)
  const { value, messages } = await convert(bytes)
  const tree = parseHtml(value)
  const { html, notes } = writePlain(tree)
  return { html, ...readHeadings(tree), word: true, notes: [...notes, ...docxNotes(messages)] }
}
