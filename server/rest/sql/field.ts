import type { FieldRef } from '../plan/types.ts'
import type { JsonStep, OrderTerm } from '../request/types.ts'
import type { Source } from './identifier.ts'
import type { Bind } from './statement.ts'

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
