import type { FieldRef } from '../plan/types.ts'
import type { Comparison, Condition, Predicate, Search } from '../request/types.ts'
import { fieldSql } from './field.ts'
import { arrayLiteral, type Source } from './identifier.ts'
import type { Bind } from './statement.ts'

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
