import { RestError } from '../rest-error.ts'
import { readName, readNames, readPath } from './field.ts'
import { parseFilter, type Test } from './filter.ts'
import type { At, Field } from './grammar.ts'
import { parseLogic } from './logic.ts'
import { parseOrder } from './order.ts'
import { readAll, type Scanner } from './scanner.ts'
import { parseSelect } from './select.ts'
import type { Query } from './types.ts'
import { parseCount } from './window.ts'

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
