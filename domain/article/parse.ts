import type { Root } from 'hast'
import { fromParse5 } from 'hast-util-from-parse5'
import {
  type DefaultTreeAdapterMap,
  type DefaultTreeAdapterTypes,
  defaultTreeAdapter,
  parseFragment,
} from 'parse5'

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
