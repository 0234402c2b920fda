import type { Element, Root, RootContent, Text } from 'hast'
import { toHtml } from 'hast-util-to-html'

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
export function* elementsOf(parent: Root | Element): Generator<Element> {
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
export const wordsOf = (parent: Root | Element) =>
  [...textsOf(parent)]
    .map(({ value }) => value)
    .join('')
    .replace(/\s+/g, ' ')
    .trim()

/** Whether the element carries a class that the pattern fits. */
export const hasClass = ({ properties }: Element, pattern: RegExp) =>
  Array.isArray(properties.className) && properties.className.some((name) => pattern.test(String(name)))
