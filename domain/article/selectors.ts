import type { CssNode, Selector, SelectorList } from 'css-tree'
import generate from 'css-tree/generator'
import { pseudoSelectors } from './css-syntax.ts'
import { anchorId } from './links.ts'

const isName = (name: string) => /^[-\w\u0080-\uffff]+$/.test(name)

const inner = (node: CssNode): CssNode[] =>
  'children' in node && node.children ? node.children.toArray() : []

const isAllowed = (node: CssNode): boolean => {
  switch (node.type) {
    case 'Selector':
    case 'SelectorList':
      return inner(node).length > 0 && inner(node).every(isAllowed)
    case 'TypeSelector':
      return node.name === '*' || isName(node.name)
    case 'ClassSelector':
    case 'IdSelector':
      return isName(node.name)
    case 'PseudoClassSelector':
    case 'PseudoElementSelector':
      return pseudoSelectors.has(node.name.toLowerCase()) && inner(node).every(isAllowed)
    case 'Nth':
      return node.selector === null
    case 'Combinator':
      return ['>', '+', '~', ' '].includes(node.name)
    default:
      return false
  }
}

// Ids in the text are prefixed, so selectors have to name them the same way.
const prefixIds = (node: CssNode) => {
  if (node.type === 'IdSelector') node.name = anchorId(node.name)
  inner(node).forEach(prefixIds)
}

const write = (selector: Selector) => {
  prefixIds(selector)
  return generate(selector)
}

/** The selectors of a list that stay within the article; the others are left out. */
export const filterSelectors = (list: SelectorList): string =>
  list.children
    .toArray()
    .flatMap((node) => (node.type === 'Selector' && isAllowed(node) ? [write(node)] : []))
    .join(',')
