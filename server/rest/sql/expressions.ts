import type { Value } from '#server/database/port.ts'
import type { FieldRef } from '../plan/types.ts'
import type { Comparison, Condition, JsonStep, OrderTerm, Predicate, Search } from '../request/types.ts'
import type { Column } from '../schema.ts'

const OPERATORS: Readonly<Record<Comparison, string>> = {
  eq: '=',
  neq: '<>',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  like: 'like',
  ilike: 'ilike',
  match: '~',
  imatch: '~*',
  cs: '@>',
  cd: '<@',
  ov: '&&',
  sl: '<<',
  sr: '>>',
  nxr: '&<',
  nxl: '&>',
  adj: '-|-',
}

const SEARCHES: Readonly<Record<Search, string>> = {
  fts: 'to_tsquery',
  plfts: 'plainto_tsquery',
  phfts: 'phraseto_tsquery',
  wfts: 'websearch_to_tsquery',
}

/** All of them, as what stands behind `where`; nothing if there are none. */
export function whereSql(conditions: ReadonlyArray<Condition<FieldRef>>, source: Source, bind: Bind): string {
  if (conditions.length === 0) return ''
  return ` where ${conditions.map((condition) => conditionSql(condition, source, bind)).join(' and ')}`
}

export function conditionSql(condition: Condition<FieldRef>, source: Source, bind: Bind): string {
  const positive =
    condition.kind === 'test'
      ? testSql(condition.field, condition.predicate, source, bind)
      : condition.conditions.map((inner) => conditionSql(inner, source, bind)).join(` ${condition.kind} `)
  return condition.negated ? `not (${positive})` : `(${positive})`
}

/** Values are bound without a type, so that each takes the one that its operator wants for the column. */
function testSql(field: FieldRef, predicate: Predicate, source: Source, bind: Bind): string {
  const value = fieldSql(field, source, bind)
  switch (predicate.kind) {
    case 'compare': {
      const operand = bind(operandOf(predicate))
      const { quantifier } = predicate
      return `${value} ${OPERATORS[predicate.operator]} ${quantifier ? `${quantifier}(${operand})` : operand}`
    }
    case 'in':
      return `${value} = any(${bind(arrayLiteral(predicate.values))})`
    case 'is':
      return `${value} is ${predicate.truth.replace('_', ' ')}`
    case 'distinct':
      return `${value} is distinct from ${bind(predicate.value)}`
    case 'search':
      return searchSql(field, value, predicate, bind)
  }
}

/** In patterns a star means what `%` means, because `%` is awkward in addresses. */
const operandOf = ({ operator, value }: Extract<Predicate, { kind: 'compare' }>): string =>
  operator === 'like' || operator === 'ilike' ? value.replaceAll('*', '%') : value

/** Text and JSON become search vectors on the way; a column that is one stays as it is. */
function searchSql(
  field: FieldRef,
  value: string,
  search: Extract<Predicate, { kind: 'search' }>,
  bind: Bind,
): string {
  const config = search.config === undefined ? '' : `${bind(search.config)}::regconfig, `
  const isVector = field.column.base === 'tsvector' && field.path.length === 0
  const vector = isVector ? value : `to_tsvector(${config}${value})`
  return `${vector} @@ ${SEARCHES[search.operator]}(${config}${bind(search.value)})`
}

const JSON_TYPES = new Set(['json', 'jsonb'])

/** A column, or what its path leads to. */
export function fieldSql({ column, path }: FieldRef, source: Source, bind: Bind): string {
  const value = source.column(column)
  if (path.length === 0) return value
  const json = JSON_TYPES.has(column.base) ? value : `to_jsonb(${value})`
  return `(${json}${path.map((step) => stepSql(step, bind)).join('')})`
}

const stepSql = ({ gives, at }: JsonStep, bind: Bind): string =>
  `${gives === 'text' ? '->>' : '->'}${bind(at)}::${typeof at === 'number' ? 'int' : 'text'}`

export function orderSql(terms: ReadonlyArray<OrderTerm<FieldRef>>, source: Source, bind: Bind): string {
  if (terms.length === 0) return ''
  const written = terms.map(({ field, descending, nulls }) => {
    const direction = descending ? ' desc' : ''
    return `${fieldSql(field, source, bind)}${direction}${nulls ? ` nulls ${nulls}` : ''}`
  })
  return ` order by ${written.join(', ')}`
}

/** A name as SQL reads it whatever its characters are. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`

export const qualifiedName = ({ schema, name }: { schema: string; name: string }): string =>
  `${quoteName(schema)}.${quoteName(name)}`

/** Something that rows come from, and how its columns are written. */
export interface Source {
  /** What stands behind `from`. */
  from: string
  /** All columns. */
  row: string
  column: (column: Column) => string
}

/** A table or view, for reading or as the target of a write. Computed columns are calls with its row. */
export const tableSource = (table: { schema: string; name: string }): Source => ({
  from: `${qualifiedName(table)} as t`,
  row: 't.*',
  column: ({ name, computedIn }) =>
    computedIn ? `${qualifiedName({ schema: computedIn, name })}(t.*)` : `t.${quoteName(name)}`,
})

/** A part of the query that already has its columns under their names. */
export const namedSource = (alias: string): Source => ({
  from: alias,
  row: `${alias}.*`,
  column: ({ name }) => `${alias}.${quoteName(name)}`,
})

/** PostgreSQL's text form of an array; as a parameter its elements take the type that the context wants. */
export const arrayLiteral = (values: readonly string[]): string =>
  `{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`

/** SQL and the values of its parameters. Whatever a client wrote is among the values, never in the text, but for
 * the number of rows that are wanted. */
export interface Statement {
  text: string
  values: readonly Value[]
}

/** Takes a value and gives the place that stands for it in the text: `$1`, `$2`, … */
export type Bind = (value: Value) => string

/** Builds a statement; the values are collected while the text is written. */
export function statement(write: (bind: Bind) => string): Statement {
  const values: Value[] = []
  const text = write((value) => `$${values.push(value)}`)
  return { text, values }
}
