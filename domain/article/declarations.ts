import type { CssNode, Declaration } from 'css-tree'
import generate from 'css-tree/generator'
import { List } from 'css-tree/utils'
import { colourFunctions, cssProperties } from './css-syntax.ts'

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

// An export from Word or an editor says "black on white" on every line. That is no wish of its author, and on
// a dark page it is unreadable; so whites, blacks and greys are dropped, and the reader's theme decides. Real
// colours keep their hue, but as text they are given the lightness that their theme needs (4.5:1 on ours).

const systemColours = new Set('window windowtext canvas canvastext infobackground infotext'.split(' '))
const greys = new Set([
  ...systemColours,
  ...'black white snow ivory ghostwhite floralwhite whitesmoke gainsboro silver'.split(' '),
  ...'gray grey dimgray dimgrey darkgray darkgrey lightgray lightgrey'.split(' '),
])
const keywords = new Set([
  ...systemColours,
  ...'inherit initial unset revert revert-layer auto none transparent currentcolor'.split(' '),
])

/** The widest distance between red, green and blue (0 to 255) that still counts as grey. */
const greyChroma = 24
const isGreyRgb = (channels: number[]) => Math.max(...channels) - Math.min(...channels) <= greyChroma

const hexChannels = (hex: string) => {
  const digits = hex.length < 6 ? hex.replace(/./g, '$&$&') : hex
  return [0, 2, 4].map((start) => Number.parseInt(digits.slice(start, start + 2), 16))
}

const numbers = (node: CssNode & { type: 'Function' }) =>
  node.children.toArray().flatMap((part) => {
    if (part.type === 'Percentage') return [Number(part.value) * 2.55]
    return part.type === 'Number' || part.type === 'Dimension' ? [Number(part.value)] : []
  })

const isPlainFunction = (node: CssNode): node is CssNode & { type: 'Function' } =>
  node.type === 'Function' &&
  colourFunctions.has(node.name.toLowerCase()) &&
  node.children
    .toArray()
    .every(
      (part) =>
        ['Number', 'Percentage', 'Dimension', 'Operator'].includes(part.type) ||
        (part.type === 'Identifier' && part.name === 'none'),
    )

/** Whether a value is a colour of its own: a name, #hex or a plain function; no keyword, no system colour. */
const isColour = (node: CssNode) => {
  if (node.type === 'Hash') return /^(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i.test(node.value)
  if (node.type === 'Identifier') return /^[a-z]+$/i.test(node.name) && !keywords.has(node.name.toLowerCase())
  return isPlainFunction(node)
}

/** Whether a colour is black, white, grey or nearly so. */
const isGrey = (node: CssNode) => {
  if (node.type === 'Identifier') return greys.has(node.name.toLowerCase())
  if (node.type === 'Hash') return isGreyRgb(hexChannels(node.value))
  if (node.type !== 'Function') return false
  const [first = 0, second = 0, third = 0] = numbers(node)
  const name = node.name.toLowerCase()
  if (name.startsWith('rgb')) return isGreyRgb([first, second, third])
  // Saturation and lightness are percentages, which were scaled to 255.
  if (name.startsWith('hsl')) return second <= greyChroma || third <= 10 || third >= 245
  return false
}

/** Whether nothing shines through: three channels and no alpha. Only then its contrast can be foreseen. */
const isOpaque = (node: CssNode) => {
  if (node.type === 'Hash') return node.value.length === 3 || node.value.length === 6
  return node.type === 'Identifier' || (node.type === 'Function' && numbers(node).length === 3)
}

const at = (colour: string, lightness: string) => `oklch(from ${colour} ${lightness} c h/1)`

/** The same hue, dark enough on a light page and light enough on a dark one. */
const asText = (colour: string) => `light-dark(${at(colour, 'min(l,.53)')},${at(colour, 'max(l,.75)')})`

/** Nearly black or nearly white, whichever can be read on the colour. */
const inkOn = (colour: string) => `oklch(from ${colour} clamp(.2,(.65 - l)*999,.98) 0 h)`

const first = (node: CssNode | undefined) =>
  node?.type === 'Function' ? node.children.toArray().filter((part) => part.type !== 'WhiteSpace') : []

/** The colour that one of the two functions above was made from, so that a second pass changes nothing. */
const sourceColour = (node: CssNode): CssNode | undefined => {
  const relative = node.type === 'Function' && node.name === 'light-dark' ? first(node)[0] : node
  const [from, colour] = first(relative)
  if (from?.type !== 'Identifier' || from.name !== 'from' || !colour || !isColour(colour)) return undefined
  const text = generate(colour)
  return [asText(text), inkOn(text)].includes(generate(node)) ? colour : undefined
}
