import { RestError, restErrors } from '../errors.ts'
import { limits } from '../settings.ts'
import { parseFilter, parseLogic, type Test } from './filter.ts'
import {
  readAll,
  readField,
  readList,
  readName,
  readNames,
  readPath,
  type Scanner,
  tooDeep,
} from './scanner.ts'
import type { AggregateName, At, Embed, Field, OrderTerm, Query, SelectItem, Window } from './types.ts'

interface Reading {
  /** A function called by GET: what is no filter is an argument of it. */
  withArguments: boolean
}

/** Of the gateway, not of the table. */
const IGNORED = 'apikey'

/** The query string. Errors: PGRST100 for anything that cannot be read. */
export function parseQuery(parameters: URLSearchParams, reading: Reading): Query {
  const columns = parameters.get('columns')
  const onConflict = parameters.get('on_conflict')
  const query: Query = {
    select: parseSelect(parameters.get('select') ?? '*'),
    where: [],
    order: [],
    limits: [],
    offsets: [],
    args: [],
    ...(columns !== null && { columns: readAll('columns parameter', columns, readNames) }),
    ...(onConflict !== null && { onConflict: readAll('on_conflict parameter', onConflict, readNames) }),
  }
  for (const [key, value] of parameters) addParameter(query, key, value, reading)
  return query
}

function addParameter(query: Query, key: string, value: string, reading: Reading): void {
  const segments = key.split('.')
  const last = segments.at(-1)
  const path = segments.slice(0, -1)
  switch (last) {
    case 'order':
      query.order.push({ path, value: parseOrder(value) })
      return
    case 'limit':
    case 'offset': {
      const count = parseCount(value)
      if (count !== undefined) query[`${last}s`].push({ path, value: count })
      return
    }
    case 'and':
    case 'or': {
      const negated = path.includes('not')
      const condition = parseLogic(last, negated, value)
      query.where.push({ path: path.filter((name) => name !== 'not'), value: condition })
      return
    }
    default:
      if (!['select', 'columns', 'on_conflict', IGNORED].includes(key)) addFilter(query, key, value, reading)
  }
}

function addFilter(query: Query, key: string, value: string, { withArguments }: Reading): void {
  const { path, value: field } = readAll('tree path', key, readTreePath)
  const test = withArguments ? filterOrNothing(value) : parseFilter(value)
  if (test) query.where.push({ path, value: { kind: 'test', field, ...test } })
  else query.args.push([field.name, value])
}

/** `column->path`, or `embed.embed.column->path`. */
function readTreePath(scanner: Scanner): At<Field> {
  const path: string[] = []
  for (;;) {
    const name = readName(scanner)
    if (!scanner.skip('.')) return { path, value: { name, path: readPath(scanner) } }
    path.push(name)
  }
}

function filterOrNothing(text: string): Test | undefined {
  try {
    return parseFilter(text)
  } catch (error) {
    if (error instanceof RestError) return undefined
    throw error
  }
}

interface WindowInput {
  limit?: number | undefined
  offset?: number | undefined
  /** The Range header: rows from-to, both included. */
  range?: string | undefined
}

/** Reads `limit` and `offset`. What is no number says nothing, as in PostgREST. */
export const parseCount = (text: string): number | undefined =>
  /^\s*-?\d+\s*$/.test(text) ? Number(text) : undefined

/**
 * The rows that are wanted: those that the parameters and the header both name. A negative offset is none.
 * Errors: PGRST103 for a negative limit, for a range that ends before it begins, and for ranges that never meet.
 */
export function resolveWindow({ limit, offset = 0, range = '' }: WindowInput): Window {
  if (limit !== undefined && limit < 0) throw restErrors.negativeLimit()
  const from = Math.max(offset, 0)
  const header = /^(?:items=)?(\d+)-(\d*)$/.exec(range.trim())
  if (limit === 0 || !header) return { offset: from, ...(limit !== undefined && { limit }) }

  const first = Number(header[1])
  const last = header[2] ? Number(header[2]) : Number.POSITIVE_INFINITY
  const start = Math.max(from, first)
  const end = Math.min(last, limit === undefined ? Number.POSITIVE_INFINITY : from + limit - 1)
  if (end < start) throw restErrors.rangeUpsideDown()
  return { offset: start, ...(end !== Number.POSITIVE_INFINITY && { limit: end - start + 1 }) }
}

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

/** `a.desc.nullslast,b->c,rel(d).asc`. Errors: PGRST100. */
export const parseOrder = (text: string): OrderTerm[] =>
  readAll('order', text, (scanner) => readList(scanner, readTerm))

function readTerm(scanner: Scanner): OrderTerm {
  const head = readHead(scanner)
  const direction = scanner.match(/\.(asc|desc)(?![a-z])/y)?.[1]
  const nulls = scanner.match(/\.nulls(first|last)(?![a-z])/y)?.[1]
  if (scanner.skip('.')) {
    scanner.fail(direction ? '"nullsfirst" or "nullslast"' : '"asc", "desc", "nullsfirst" or "nullslast"')
  }
  return { ...head, descending: direction === 'desc', ...(nulls && { nulls: nulls as 'first' | 'last' }) }
}

function readHead(scanner: Scanner): Pick<OrderTerm, 'field' | 'relation'> {
  const field = readField(scanner)
  if (field.path.length > 0 || !scanner.skip('(')) return { field }
  const related = readField(scanner)
  scanner.expect(')')
  return { relation: field.name, field: related }
}
