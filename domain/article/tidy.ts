import type { Element, ElementContent, Root } from 'hast'
import { filterStyle, filterStylesheet } from './css.ts'
import { anchorId, leadsElsewhere, safeImage, safeLink } from './links.ts'

// The page has the <h1> and the landmarks; what only dresses text becomes what it means.
const renamed: ReadonlyMap<string, string> = new Map([
  ['h1', 'h2'],
  ['main', 'div'],
  ['article', 'div'],
  ['header', 'div'],
  ['footer', 'div'],
  ['nav', 'div'],
  ['aside', 'div'],
  ['hgroup', 'div'],
  ['center', 'div'],
  ['strike', 's'],
  ['tt', 'code'],
  ['listing', 'pre'],
  ['dir', 'ul'],
  ['menu', 'ul'],
])

const text = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** All the different styles of an article together; more than this comes from no editor. */
const maxCss = 1_000_000
/** What looking at one costs besides its length. */
const perStyle = 100

const tidyLink = (element: Element) => {
  const href = safeLink(text(element.properties.href) ?? '')
  element.properties.href = href
  element.properties.rel = href && leadsElsewhere(href) ? ['noopener', 'noreferrer'] : undefined
  element.properties.id ??= text(element.properties.name)
}

/** False when there is no picture to show. */
const tidyImage = (element: Element) => {
  const { src, alt, title, width, height, id, className, style, align } = element.properties
  const address = safeImage(text(src) ?? '')
  const shown = { src: address, alt: text(alt) ?? '', title, width, height, id, className, style, align }
  element.properties = { ...shown, loading: 'lazy', decoding: 'async', referrerPolicy: 'no-referrer' }
  return address !== undefined
}

// The parser drops the first line break in a <pre>, so one that is meant needs another before it.
const tidyPreformatted = ({ children: [first] }: Element) => {
  if (first?.type === 'text' && first.value.startsWith('\n')) first.value = `\n${first.value}`
}

const cssOf = (element: Element) =>
  element.children.map((child) => (child.type === 'text' ? child.value : '')).join('')

/** Cleans the styles of one article; an export repeats the same few attributes on every line. */
const styleCleaner = () => {
  const known = new Map<string, string>()
  let left = maxCss
  const filtered = (css: string, filter: (css: string) => string) => {
    left -= css.length + perStyle
    return left >= 0 ? filter(css) : ''
  }
  return {
    attribute: (css: string) => {
      const clean = known.get(css) ?? filtered(css, filterStyle)
      known.set(css, clean)
      return clean || undefined
    },
    sheet: (element: Element) => {
      const clean = filtered(cssOf(element), filterStylesheet)
      element.children = [{ type: 'text', value: clean }]
      return clean !== ''
    },
  }
}

/** Whether the element stays, after its own attributes were put right. */
const tidyElement = (element: Element, styles: ReturnType<typeof styleCleaner>) => {
  element.tagName = renamed.get(element.tagName) ?? element.tagName
  const { tagName, properties } = element
  if (tagName === 'a') tidyLink(element)
  if (tagName === 'pre') tidyPreformatted(element)
  const stays = tagName === 'img' ? tidyImage(element) : tagName === 'style' ? styles.sheet(element) : true
  const id = text(element.properties.id)
  element.properties.id = id ? anchorId(id) : undefined
  const style = text(properties.style)
  element.properties.style = style && styles.attribute(style)
  return stays
}

const tidyChildren = (parent: Root | Element, styles: ReturnType<typeof styleCleaner>) => {
  for (const child of parent.children) {
    if (child.type !== 'element') continue
    // The gate strips templates with all that is in them, so nothing has to be cut out of the tree here.
    if (!tidyElement(child, styles)) child.tagName = 'template'
    tidyChildren(child, styles)
  }
}

/**
 * Puts an article right before it goes through the gate of `articleSchema`: headings below the page's own,
 * ids and anchors with their prefix, links and pictures with addresses that are safe, styles filtered.
 * Changes the tree.
 */
export const tidyArticle = (tree: Root) => tidyChildren(tree, styleCleaner())

const isScroller = ({ properties }: Element) =>
  Array.isArray(properties.className) && properties.className.includes('table-scroller')

/** Puts a box around each table that is in no other, so that a wide one scrolls within it. Changes the tree. */
export const wrapTables = (parent: Root | Element) => {
  parent.children = parent.children.map((child) => {
    if (child.type !== 'element') return child
    if (child.tagName !== 'table') {
      wrapTables(child)
      return child
    }
    if (parent.type === 'element' && isScroller(parent)) return child
    return {
      type: 'element',
      tagName: 'div',
      properties: { className: ['table-scroller'] },
      children: [child],
    }
  }) as ElementContent[]
}
