import type { Element, Root } from 'hast'
import { safeImage } from '#domain/article/links.ts'
import { parseArticle, TooComplex } from '../article/parse.ts'
import { importErrors } from './import-error.ts'
import { elementsOf, hasClass, wordsOf, writePlain } from './typography.ts'

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

const active = new Set(['script', 'form', 'input', 'button', 'select', 'textarea'])
const embedded = new Set(['iframe', 'frame', 'object', 'embed', 'video', 'audio', 'svg', 'canvas', 'portal'])

const hasHandler = ({ properties }: Element) => Object.keys(properties).some((name) => /^on[a-z]/i.test(name))

const isLost = ({ tagName, properties }: Element) =>
  tagName === 'img' && safeImage(String(properties.src ?? '')) === undefined

const lostPictures = (count: number) =>
  `${count === 1 ? 'A picture' : `${count} pictures`} will not be shown: the file only says where ` +
  `${count === 1 ? 'it is' : 'they are'} on a computer. Save the document as .docx and upload that to take pictures along.`

/** What of an HTML file readers will not see, in plain words; nothing when all of it comes through. */
const htmlNotes = (tree: Root): string[] => {
  const elements = [...elementsOf(tree)]
  const pictures = elements.filter(isLost).length
  const isActive = elements.some((element) => active.has(element.tagName) || hasHandler(element))
  const isEmbedding = elements.some(({ tagName }) => embedded.has(tagName))
  return [
    ...(pictures > 0 ? [lostPictures(pictures)] : []),
    ...(isActive ? ['Scripts and forms are left out when the article is shown.'] : []),
    ...(isEmbedding ? ['Embedded pages, videos and drawings are left out when the article is shown.'] : []),
  ]
}

/** What the columns `title` and `description` hold. */
const MAX_TITLE = 300
const MAX_DESCRIPTION = 2000

const titleStyle = /^MsoTitle/

/** A text that fits, cut between words where it must be. */
const fitted = (text: string, max: number) => {
  if (text.length <= max) return text
  const start = text.slice(0, max - 3)
  const end = start.lastIndexOf(' ')
  return `${(end > 0 ? start.slice(0, end) : start).toWellFormed()}...`
}

const isTitle = (element: Element) => hasClass(element, titleStyle)
const isParagraph = (element: Element) => element.tagName === 'p' && !isTitle(element)

const firstWith = (elements: Element[], isWanted: (element: Element) => boolean) =>
  elements.find((element) => isWanted(element) && wordsOf(element) !== '')

/**
 * What a document says of itself: the paragraph in Word's title style is the title, and the next paragraph with words in
 * it the description (specification, section 5). Without that style the first heading, or the page's title, stands in.
 */
export const readHeadings = (tree: Root): { title?: string; description?: string } => {
  const elements = [...elementsOf(tree)]
  const styled = firstWith(elements, isTitle)
  const heading =
    styled ??
    firstWith(elements, ({ tagName }) => tagName === 'h1') ??
    firstWith(elements, ({ tagName }) => tagName === 'title')
  const next = styled && firstWith(elements.slice(elements.indexOf(styled) + 1), isParagraph)
  return {
    ...(heading && { title: fitted(wordsOf(heading), MAX_TITLE) }),
    ...(next && { description: fitted(wordsOf(next), MAX_DESCRIPTION) }),
  }
}
