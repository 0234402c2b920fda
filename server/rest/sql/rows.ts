import type { FieldRef, Output, RowsPlan } from '../plan/types.ts'
import type { Window } from '../request/types.ts'
import { whereSql } from './condition.ts'
import { fieldSql, orderSql } from './field.ts'
import { quoteName, type Source } from './identifier.ts'
import type { Bind } from './statement.ts'

/** The rows themselves: `select … from … where … group by … order by … limit … offset …`. */
export const rowsSql = ({ select, where, order, window }: RowsPlan, source: Source, bind: Bind): string =>
  [
    `select ${select.map((output) => outputSql(output, source, bind)).join(', ')} from ${source.from}`,
    whereSql(where, source, bind),
    groupSql(select),
    orderSql(order, source, bind),
    windowSql(window, bind),
  ].join('')

/**
 * The limit is written out: of a limit among the values PostgreSQL expects a tenth of the table, and so thinks it
 * worth while to plan such a statement anew each time. The offset stays a value, for pages are many.
 */
function windowSql({ limit, offset }: Window, bind: Bind): string {
  const most = limit === undefined ? '' : ` limit ${Number.isSafeInteger(limit) ? limit : bind(limit)}`
  return offset > 0 ? `${most} offset ${bind(offset)}` : most
}

function outputSql(output: Output, source: Source, bind: Bind): string {
  if (output.kind === 'everything') return source.row
  if (output.kind === 'field' && isPlain(output)) return source.column(output.field.column)
  const value =
    output.kind === 'field' ? fieldSql(output.field, source, bind) : aggregateSql(output, source, bind)
  return `${castSql(value, output.cast)} as ${quoteName(output.name)}`
}

/** A column that keeps its name, as nearly all do. */
const isPlain = ({ name, field, cast }: Extract<Output, { kind: 'field' }>): boolean =>
  name === field.column.name && field.path.length === 0 && !cast && !field.column.computedIn

function aggregateSql(output: Extract<Output, { kind: 'aggregate' }>, source: Source, bind: Bind): string {
  const value = output.field ? castSql(fieldSql(output.field, source, bind), output.fieldCast) : '*'
  return `${output.aggregate}(${value})`
}

const castSql = (value: string, type: string | undefined): string =>
  type ? `cast(${value} as ${type})` : value

/** Aggregates go by groups of the other columns, which are named by their place in the list. */
function groupSql(select: readonly Output[]): string {
  if (!select.some((output) => output.kind === 'aggregate')) return ''
  const places = select.flatMap((output, i) => (output.kind === 'aggregate' ? [] : [i + 1]))
  return places.length > 0 ? ` group by ${places.join(', ')}` : ''
}

/** The columns that the answer and its order need, for a statement that has to hand them on. */
export function neededFields({ select, order }: Pick<RowsPlan, 'select' | 'order'>): FieldRef[] {
  const selected = select.flatMap((output) =>
    output.kind !== 'everything' && output.field ? [output.field] : [],
  )
  return [...selected, ...order.map((term) => term.field)]
}
