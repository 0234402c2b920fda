import type { Root } from 'hast'
import { parseArticle, TooComplex } from '../article/parse.ts'
import { readHeadings } from './headings.ts'
import { htmlNotes } from './html-notes.ts'
import { importErrors } from './import-error.ts'
import { writePlain } from './write-plain.ts'

/** What Word writes into its HTML, filtered or not; no other program does. */
const wordSigns = [
  /<meta[^>]+\bname=["']?(?:ProgId["']?[^>]+Word\.|Generator["']?[^>]+Microsoft Word)/i,
  /\bxmlns:w=["']?urn:schemas-microsoft-com:office:word/i,
  /\bclass=["']?Mso[A-Z]/,
]

const isWordHtml = (html: string) => wordSigns.some((sign) => sign.test(html))

/** Reads HTML within the limits of an article. Throws `ImportError`. */
export const parseHtml = (html: string): Root => {
  try {
    return parseArticle(html)
  } catch (error) {
    if (error instanceof TooComplex || error instanceof RangeError) throw importErrors.tooComplex(error)
    throw error
  }
}

/**
 * What an HTML file holds. Word's is written anew, with plain characters; any other stays letter by letter. Both are made
 * harmless when they are shown, not here.
 */
export const importHtml = (html: string) => {
  const tree = parseHtml(html)
  const lost = htmlNotes(tree)
  const word = isWordHtml(html)
  const written = word ? writePlain(tree) : { html, notes: [] }
  return { html: written.html, ...readHeadings(tree), word, notes: [...written.notes, ...lost] }
}
