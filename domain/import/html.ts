import type { Element, Root, RootContent, Text } from 'hast'
import { toHtml } from 'hast-util-to-html'
import { safeImage } from '#domain/article/links.ts'
import { parseArticle, TooComplex } from '#domain/article/sanitise.ts'

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

const plain: ReadonlyArray<readonly [typographic: RegExp, plain: string]> = [
  [/[‘’‚‛′‹›\u0091\u0092]/g, "'"],
  [/[“”„‟″«»\u0093\u0094]/g, '"'],
  [/[‐‑‒–—―−\u0096\u0097]/g, '-'],
  [/[…\u0085]/g, '...'],
  [/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, ' '],
  [/[•‣▪●◦\u0095\uf0a7\uf0b7]/g, '*'],
  [/[\u00ad\u200b\u2060\ufeff]/g, ''],
]

/**
 * Text with plain quotes, dashes, dots, spaces and bullets for the typographic ones that Word puts in while one types
 * (specification, section 5). Letters, accents and signs with a meaning of their own stay.
 */
export const plainTypography = (text: string) =>
  plain.reduce((done, [typographic, instead]) => done.replace(typographic, instead), text)

const REPLACED = 'Curly quotes, long dashes and other typographic characters were replaced by plain ones.'

/** Fonts in which Word draws bullets with letters that mean something else everywhere else. */
const symbolFont = /font-family:\s*["']?(?:Symbol|Wingdings)/i
const drawnBullet = /^\s*[·§Øüqvn]\s*$/

const isSymbol = ({ properties }: Element) => symbolFont.test(String(properties.style ?? ''))

/** Bullets that are letters in a font of symbols become what they look like. */
const showBullets = (tree: Root) => {
  for (const element of elementsOf(tree)) {
    if (!isSymbol(element)) continue
    for (const text of textsOf(element)) text.value = text.value.replace(drawnBullet, '•')
  }
}

/**
 * Writes what Word made anew: with plain typographic characters, and without the comments that carry its settings. Tells
 * if characters were replaced. Changes the tree.
 */
export const writePlain = (tree: Root): { html: string; notes: string[] } => {
  let isChanged = false
  const plain = (text: string) => {
    const after = plainTypography(text)
    // Word fills empty paragraphs with hard spaces; nobody needs to hear of them.
    isChanged ||= after.trim() !== text.trim()
    return after
  }
  showBullets(tree)
  for (const text of textsOf(tree)) text.value = plain(text.value)
  for (const { properties } of elementsOf(tree)) {
    if (typeof properties.alt === 'string') properties.alt = plain(properties.alt)
  }
  dropComments(tree)
  return { html: toHtml(tree), notes: isChanged ? [REPLACED] : [] }
}

const dropComments = (parent: Root | RootContent) => {
  if (!('children' in parent)) return
  parent.children = parent.children.filter(({ type }) => type !== 'comment') as typeof parent.children
  for (const child of parent.children) dropComments(child)
}

/** All elements below a node, in reading order. */
function* elementsOf(parent: Root | Element): Generator<Element> {
  for (const child of parent.children) {
    if (child.type !== 'element') continue
    yield child
    yield* elementsOf(child)
  }
}

/** Text that is not for reading. */
const unread = new Set(['style', 'script', 'xml'])

/** All pieces of text that readers see, in reading order. */
function* textsOf(parent: Root | Element): Generator<Text> {
  for (const child of parent.children) {
    if (child.type === 'text') yield child
    if (child.type === 'element' && !unread.has(child.tagName)) yield* textsOf(child)
  }
}

/** The words below a node, with single spaces. */
const wordsOf = (parent: Root | Element) =>
  [...textsOf(parent)]
    .map(({ value }) => value)
    .join('')
    .replace(/\s+/g, ' ')
    .trim()

/** Whether the element carries a class that the pattern fits. */
const hasClass = ({ properties }: Element, pattern: RegExp) =>
  Array.isArray(properties.className) && properties.className.some((name) => pattern.test(String(name)))

/** Why a file could not become an article, in words for whoever chose it. */
export class ImportError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'ImportError'
  }
}

/** The first three are the specification's own words (sections 5 and 8). */
export const importErrors = {
  noHtml: () => new ImportError('The uploaded file does not appear to contain HTML content'),
  unreadable: (cause?: unknown) => new ImportError('Error reading file', cause),
  unprocessable: (cause?: unknown) =>
    new ImportError('Could not process this file. It may contain characters that cannot be encoded.', cause),
  oldWord: () =>
    new ImportError(
      'This is a Word document in the old format. Please open it in Word, save it as .docx, and upload that.',
    ),
  noDocx: () =>
    new ImportError(
      'This is not a Word document. Please upload an HTML file, or a document saved by Word as .docx.',
    ),
  webArchive: () =>
    new ImportError(
      'This is a web page in a single file (.mht). Please save it in Word as .docx or as “Web Page, Filtered”, and upload that.',
    ),
  tooLarge: () =>
    new ImportError(
      'This article is too large: with its pictures it may have 7 MB. Please make the pictures smaller and upload it again.',
    ),
  tooComplex: (cause: unknown) =>
    new ImportError('This file is too complex to be shown as an article.', cause),
}
