import type { Root } from 'hast'
import { fromParse5 } from 'hast-util-from-parse5'
import { sanitize } from 'hast-util-sanitize'
import { toHtml } from 'hast-util-to-html'
import {
  type DefaultTreeAdapterMap,
  type DefaultTreeAdapterTypes,
  defaultTreeAdapter,
  parseFragment,
} from 'parse5'
import { articleSchema } from './schema.ts'
import { articleText } from './text.ts'
import { tidyArticle, wrapTables } from './tidy.ts'

/** The article has more in it, or deeper, than any person would write. */
export class TooComplex extends Error {
  constructor(what: string) {
    super(`This article is too complex: ${what}`)
    this.name = 'TooComplex'
  }
}

// A long book with a font on every word has fewer elements; browsers cut a page off at 512 levels.
const maxElements = 300_000
const maxDepth = 200

// Unclosed formatting elements are opened again in every paragraph, so that a few kilobytes can ask for
// millions of elements. Only the parser itself can tell, so it is stopped while it builds.
const countingAdapter = () => {
  let left = maxElements
  return {
    ...defaultTreeAdapter,
    createElement: (
      ...[name, namespace, attributes]: Parameters<typeof defaultTreeAdapter.createElement>
    ) => {
      left -= 1 + attributes.length
      if (left < 0) throw new TooComplex('too many elements')
      return defaultTreeAdapter.createElement(name, namespace, attributes)
    },
  }
}

const childrenOf = (node: DefaultTreeAdapterTypes.Node): DefaultTreeAdapterTypes.Node[] => {
  if ('content' in node) return [node.content]
  return 'childNodes' in node ? node.childNodes : []
}

// What comes after walks the tree by recursion.
const checkDepth = (root: DefaultTreeAdapterTypes.Node) => {
  let level = [root]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) throw new TooComplex('nested too deeply')
    level = level.flatMap(childrenOf)
  }
}

/**
 * Reads HTML as a browser does (the algorithm of the HTML standard, by parse5), within limits.
 * Throws `TooComplex` beyond them.
 */
export const parseArticle = (html: string): Root => {
  const tree = parseFragment<DefaultTreeAdapterMap>(html, {
    treeAdapter: countingAdapter(),
    scriptingEnabled: false,
  })
  checkDepth(tree)
  const root = fromParse5(tree)
  if (root.type !== 'root') throw new TypeError('A fragment is always a root')
  return root
}

// Leaving an element out can make the rest be read differently; a second look shows it. Two are the rule.
const maxPasses = 6

const onePass = (html: string) => {
  const tree = parseArticle(html)
  tidyArticle(tree)
  const clean = sanitize(tree, articleSchema) as Root
  wrapTables(clean)
  return toHtml(clean)
}

const untilStable = (html: string) => {
  let before = html
  for (let pass = 1; pass <= maxPasses; pass++) {
    const after = onePass(before)
    if (after === before) return after
    before = after
  }
  throw new TooComplex('it reads differently every time')
}

/**
 * Makes a stranger's HTML safe to show (design, section 5): an allow-list of elements, attributes, addresses
 * and styles; nothing in the result runs, submits, loads a file of code, or reaches beyond its container.
 * The result is a fixed point: a browser reads from it exactly the tree that was checked. What is too
 * complex to be checked becomes plain text. Never throws for any text.
 */
export const sanitiseArticle = (html: string): string => {
  try {
    return untilStable(html)
  } catch (error) {
    // RangeError: a library's recursion or argument list met its end before our own limits did.
    if (!(error instanceof TooComplex || error instanceof RangeError)) throw error
    const value = articleText(html)
    return toHtml({ type: 'element', tagName: 'p', properties: {}, children: [{ type: 'text', value }] })
  }
}
