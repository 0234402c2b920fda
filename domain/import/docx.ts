import { type UnzipFileInfo, unzipSync } from 'fflate'
import { importErrors, parseHtml, readHeadings, writePlain } from './html.ts'

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
  const entries = readDirectory(bytes)
  if (!entries.some(({ name }) => /^word\/document\d*\.xml$/.test(name))) throw importErrors.noDocx()
  if (entries.reduce((sum, { originalSize }) => sum + originalSize, 0) > MAX_UNPACKED_BYTES)
    throw importErrors.tooLarge()
}

/** What an archive says that it holds; nothing is unpacked. Throws `ImportError` when it is damaged. */
const readDirectory = (bytes: Uint8Array): UnzipFileInfo[] => {
  const entries: UnzipFileInfo[] = []
  try {
    unzipSync(bytes, {
      filter(entry) {
        entries.push(entry)
        return false
      },
    })
  } catch (error) {
    throw importErrors.unreadable(error)
  }
  if (entries.length === 0) throw importErrors.unreadable()
  return entries
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

/** What mammoth reports, and what it means for somebody who knows Word but not its files. */
const meanings: ReadonlyArray<readonly [report: RegExp, meaning: (detail: string) => string]> = [
  [
    /^Unrecognised \w+ style: '([^']*)'/,
    (style) => `The style “${style}” has no counterpart here: its text looks like any other.`,
  ],
  [/ignored: .*oMath/, () => 'Formulas are left out. A picture of the formula would come through.'],
  [/ignored: .*(?:chart|diagram|w:object)/, () => 'Charts, diagrams and embedded objects are left out.'],
  [
    /^Image of type (?:image\/)?(?:x-)?([\w.+-]+) is unlikely/,
    (format) =>
      `A picture in the format ${format.toUpperCase()} cannot be shown. As PNG or JPEG it would come through.`,
  ],
  [
    /image file|v:imagedata|external (?:image|file)/i,
    () => 'A picture is missing: the document only says where it is. Insert the picture itself.',
  ],
  [/w:sym element/, () => 'A symbol from a special font is left out.'],
  [/cell merging/, () => 'A table is built in an unusual way. Please check its merged cells.'],
]

const SOMETHING =
  'Something in the document has no counterpart here and is left out. Please check the preview.'
const LOOKS = 'Fonts and colours are not taken along: articles look like the rest of the site.'

const meaningOf = (report: string) => {
  for (const [pattern, meaning] of meanings) {
    const found = pattern.exec(report)
    if (found) return meaning(found[1] ?? '')
  }
  // A style that is used without being defined changes nothing that readers could see.
  return /style with ID .* not defined/.test(report) ? undefined : SOMETHING
}

/** What did not come through from a .docx document, each thing said once, in plain words. */
const docxNotes = (messages: readonly { message: string }[]): string[] => {
  const found = messages.map(({ message }) => meaningOf(message)).filter((note) => note !== undefined)
  return [...new Set([...found, LOOKS])]
}
