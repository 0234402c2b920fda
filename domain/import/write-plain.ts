import type { Element, Root, RootContent } from 'hast'
import { toHtml } from 'hast-util-to-html'
import { plainTypography } from './typography.ts'
import { elementsOf, textsOf } from './walk.ts'

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
