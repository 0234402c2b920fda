import type { Element, Root } from 'hast'
import { elementsOf, hasClass, wordsOf } from './walk.ts'

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
