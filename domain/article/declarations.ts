import type { CssNode, Declaration } from 'css-tree'
import generate from 'css-tree/generator'
import { List } from 'css-tree/utils'
import { asText, inkOn, isColour, isGrey, isOpaque, sourceColour } from './colours.ts'
import { cssProperties } from './css-lists.ts'

/** One declaration on its way through: a lower-case property and the parts of its value. */
interface Said {
  property: string
  parts: CssNode[]
}

// Identifiers and units with an escape in them are refused: nobody needs them, and they hide other words.
const isSafe = (node: CssNode): boolean => {
  switch (node.type) {
    case 'Identifier':
      return /^[-\w\u0080-\uffff]+$/.test(node.name)
    case 'Dimension':
      return /^[a-z]+$/i.test(node.unit)
    case 'Operator':
      return node.value === ',' || node.value === '/'
    case 'Number':
    case 'Percentage':
    case 'String':
    case 'WhiteSpace':
      return true
    default:
      return isColour(node) || sourceColour(node) !== undefined
  }
}

const isNegative = (node: CssNode) => 'value' in node && String(node.value).startsWith('-')

const readDeclaration = ({ property, value }: Declaration): Said[] => {
  const name = property.toLowerCase()
  if (!cssProperties.has(name) || value.type !== 'Value') return []
  const parts = value.children.toArray()
  // A negative margin would pull a box out of the article, over its neighbours.
  const isPulled = name.startsWith('margin') && parts.some(isNegative)
  return parts.length > 0 && parts.every(isSafe) && !isPulled ? [{ property: name, parts }] : []
}

const write = (parts: CssNode[]) =>
  generate({ type: 'Value', children: new List<CssNode>().fromArray(parts) })

const isBackground = ({ property }: Said) => property.startsWith('background')

/** The colour that a box is filled with; greys, gradients, pictures and what shines through fill none. */
const fillOf = (said: Said[]) => {
  const fill = said.findLast(isBackground)?.parts.find((part) => isColour(part))
  return fill && !isGrey(fill) && isOpaque(fill) ? generate(fill) : undefined
}

const textColour = ([colour, ...more]: CssNode[], fill: string | undefined) => {
  if (!colour || more.length > 0) return undefined
  if (fill) return isColour(colour) ? generate(colour) : inkOn(fill)
  const source = sourceColour(colour) ?? colour
  return isColour(source) && !isGrey(source) ? asText(generate(source)) : undefined
}

const borderParts = (parts: CssNode[]): CssNode[] =>
  parts.map((part) => (isGrey(part) ? { type: 'Identifier', name: 'currentcolor' } : part))

/**
 * Keeps what an article may say about its looks. A box filled with a colour brings a text colour that can be
 * read on it, in both themes.
 */
export const filterDeclarations = (nodes: CssNode[]): string => {
  const said = nodes.flatMap((node) => (node.type === 'Declaration' ? readDeclaration(node) : []))
  const fill = fillOf(said)
  const lines = new Map<string, string>()
  // Links have to be read there too: our typography asks this property for their colour.
  if (fill) lines.set('background-color', fill).set('--link', 'currentcolor').set('color', inkOn(fill))
  for (const { property, parts } of said.filter((one) => !isBackground(one))) {
    const value = property === 'color' ? textColour(parts, fill) : write(borderParts(parts))
    if (value === undefined) continue
    lines.delete(property) // the later one counts, in its own place: "border-left" after "border"
    lines.set(property, value)
  }
  return [...lines].map(([property, value]) => `${property}:${value}`).join(';')
}
