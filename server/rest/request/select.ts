import { readList, readName, readPath, tooDeep } from './field.ts'
import type { AggregateName, Embed, SelectItem } from './grammar.ts'
import { limits } from './limits.ts'
import { readAll, type Scanner } from './scanner.ts'

const IDENTIFIER = /[\p{L}\p{N}_ $]+/uy

/** `a,b:alias…` Rows in the form `alias:column->path::cast.sum()::cast`, `*`, `relation(…)`. Errors: PGRST100. */
export const parseSelect = (text: string): SelectItem[] =>
  readAll('select parameter', text, (scanner) => readItems(scanner, 1))

/** Nothing at all is a list too: rows without columns. */
function readItems(scanner: Scanner, depth: number): SelectItem[] {
  if (depth > limits.nesting) throw tooDeep('select parameter', scanner.text)
  scanner.skipSpace()
  return scanner.done || scanner.sees(')') ? [] : readList(scanner, () => readItem(scanner, depth))
}

function readItem(scanner: Scanner, depth: number): SelectItem {
  if (scanner.skip('...')) return readEmbed(scanner, { relation: readName(scanner), spread: true, depth })
  if (scanner.match(/\*(?=[ \t]*(?:[,)]|$))/y)) return { kind: 'everything' }
  const first = readName(scanner)
  // One colon ends an alias; two begin a cast.
  const alias = scanner.match(/:(?!:)/y) ? { alias: first } : {}
  const name = 'alias' in alias ? readName(scanner) : first
  if (name === 'count' && scanner.skip('()'))
    return { kind: 'aggregate', name, ...readCast(scanner), ...alias }
  const isEmbed = scanner.sees('(') || scanner.sees('!')
  return isEmbed
    ? readEmbed(scanner, { relation: name, spread: false, ...alias, depth })
    : readColumn(scanner, name, alias)
}

function readColumn(scanner: Scanner, name: string, alias: { alias?: string }): SelectItem {
  const field = { name, path: readPath(scanner) }
  const { cast } = readCast(scanner)
  const aggregate = scanner.match(/\.(sum|avg|max|min|count)\(\)/y)?.[1]
  if (!aggregate) return { kind: 'field', field, ...(cast && { cast }), ...alias }
  return {
    kind: 'aggregate',
    name: aggregate as AggregateName,
    field,
    ...(cast && { fieldCast: cast }),
    ...readCast(scanner),
    ...alias,
  }
}

function readCast(scanner: Scanner): { cast?: string } {
  if (!scanner.skip('::')) return {}
  return { cast: scanner.match(IDENTIFIER)?.[0].trim() || scanner.fail('letter or digit') }
}

interface EmbedHead {
  relation: string
  spread: boolean
  alias?: string
  depth: number
}

/** `!hint!inner(items)`: hint and join in either order. */
function readEmbed(scanner: Scanner, { depth, ...head }: EmbedHead): Embed {
  const embed: Embed = { kind: 'embed', ...head, items: [] }
  while (scanner.skip('!')) {
    const word = readName(scanner)
    if (word === 'inner' || word === 'left') embed.join ??= word
    else embed.hint ??= word
  }
  scanner.expect('(')
  embed.items = readItems(scanner, depth + 1)
  scanner.expect(')')
  return embed
}
