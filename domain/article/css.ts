// The parts, not the whole: its main entry brings the syntax of every property, a third of what members download.

import type { Atrule, CssNode, ParseOptions, Rule, Selector, SelectorList } from 'css-tree'
import generate from 'css-tree/generator'
import parse from 'css-tree/parser'
import { mediaCondition, pseudoSelectors, soundPart } from './css-syntax.ts'
import { filterDeclarations } from './declarations.ts'
import { anchorId } from './links.ts'

// Longer ones come from no editor. The parser needs longer for an error the longer its input is.
const maxAttributeLength = 4_000
const maxStylesheetLength = 256_000
const maxErrors = 500

/** The parts of a style sheet or a list of declarations; none when it is beyond all measure. */
const read = (css: string, context: 'stylesheet' | 'declarationList', maxLength: number): CssNode[] => {
  if (css.length > maxLength) return []
  let errors = 0
  const onParseError: ParseOptions['onParseError'] = () => {
    if (++errors > maxErrors) throw new RangeError('Too many errors in a style')
  }
  try {
    const root = parse(soundPart(css), { context, onParseError })
    return 'children' in root && root.children ? root.children.toArray() : []
  } catch (error) {
    // Thrown here, and by the parser for what is nested too deeply for it.
    if (error instanceof RangeError) return []
    throw error
  }
}

// A "<" can only stand in a string here, where its escape means the same and cannot end a <style>.
const sealed = (css: string) => css.replaceAll('<', '\\3c ')

const filterRule = ({ prelude, block }: Rule) => {
  const selectors = prelude.type === 'SelectorList' ? filterSelectors(prelude) : ''
  const declarations = selectors && filterDeclarations(block.children.toArray())
  return declarations ? `${selectors}{${declarations}}` : ''
}

const filterAtrule = ({ name, prelude, block }: Atrule) => {
  const condition = prelude ? generate(prelude) : ''
  if (name.toLowerCase() !== 'media' || !block || !mediaCondition.test(condition)) return ''
  const rules = filterRules(block.children.toArray())
  return rules && `@media ${condition}{${rules}}`
}

const filterRules = (nodes: CssNode[]): string =>
  nodes
    .map((node) => {
      if (node.type === 'Rule') return filterRule(node)
      return node.type === 'Atrule' ? filterAtrule(node) : ''
    })
    .join('')

/** What remains of a style sheet: rules with allowed selectors and properties, and `@media` around them. */
export const filterStylesheet = (css: string) =>
  sealed(filterRules(read(css, 'stylesheet', maxStylesheetLength)))

/** What remains of a style attribute. */
export const filterStyle = (css: string) =>
  filterDeclarations(read(css, 'declarationList', maxAttributeLength))

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
const filterSelectors = (list: SelectorList): string =>
  list.children
    .toArray()
    .flatMap((node) => (node.type === 'Selector' && isAllowed(node) ? [write(node)] : []))
    .join(',')
