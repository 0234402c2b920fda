import type { Element, Root, Text } from 'hast'

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
export function* textsOf(parent: Root | Element): Generator<Text> {
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
