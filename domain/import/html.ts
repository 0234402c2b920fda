import type { Root, RootContent } from 'hast'
import { toHtml } from 'hast-util-to-html'
import { parseArticle, TooComplex } from '../article/parse.ts'
import { readHeadings } from './headings.ts'
import { htmlNotes } from './html-notes.ts'
import { importErrors } from './import-error.ts'
import { plainTypography } from './typography.ts'
import { elementsOf, textsOf } from './walk.ts'

/** What Word writes into its HTML, filtered or not; no other program does. */
const wordSigns =
  /<meta[^>]+\bname=["']?(?:ProgId["']?[^>]+Word\.|Generator["']?[^>]+Microsoft Word)|xmlns:w=["']?urn:schemas-microsoft-com:office:word|\bclass=["']?Mso[A-Z]/i

/** Whether an HTML file was exported by Word. */
export const isWordHtml = (html: string) => wordSigns.test(html)

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
 * What an HTML file holds. Word's is written anew, with plain typographic characters and without the comments that carry
 * its settings; any other stays letter by letter. Both are made harmless when they are shown, not here.
 */
export const importHtml = (html: string) => {
  const tree = parseHtml(html)
  const word = isWordHtml(html)
  const replaced = word && normalise(tree)
  return {
    html: word ? toHtml(tree) : html,
    ...readHeadings(tree),
    word,
    notes: [...(replaced ? [REPLACED] : []), ...htmlNotes(tree)],
  }
}

const REPLACED = 'Curly quotes, long dashes and other typographic characters were replaced by plain ones.'

/** Changes the tree; says whether any character was another one before. */
const normalise = (tree: Root): boolean => {
  let isChanged = false
  const normalised = (text: string) => {
    const plain = plainTypography(text)
    // Word fills empty paragraphs with hard spaces; nobody needs to hear of them.
    isChanged ||= plain.trim() !== text.trim()
    return plain
  }
  for (const text of textsOf(tree)) text.value = normalised(text.value)
  for (const { properties } of elementsOf(tree)) {
    if (typeof properties.alt === 'string') properties.alt = normalised(properties.alt)
  }
  dropComments(tree)
  return isChanged
}

const dropComments = (parent: Root | RootContent) => {
  if (!('children' in parent)) return
  parent.children = parent.children.filter(({ type }) => type !== 'comment') as typeof parent.children
  for (const child of parent.children) dropComments(child)
}
