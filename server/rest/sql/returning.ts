import type { Returning, RowsPlan } from '../plan/types.ts'
import type { Column, Table } from '../schema.ts'
import { quoteName, tableSource } from './identifier.ts'
import { neededFields } from './rows.ts'

interface Write {
  table: Table
  rows: RowsPlan
  returning: Returning
}

/**
 * What a write hands on: only what is asked for, since reading a column takes the right to read it. Computed columns
 * are worked out here, where the row is still the table's.
 */
export function returningSql({ table, rows, returning }: Write): string {
  if (returning === 'nothing') return '1'
  const source = tableSource(table)
  if (returning === 'location')
    return table.primaryKey.map((name) => `t.${quoteName(name)}`).join(', ') || '1'
  const everything = rows.select.some((output) => output.kind === 'everything')
  const needed = new Set(neededFields(rows).map((field) => field.column))
  const single = [...needed].filter((column) => !everything || column.computedIn !== undefined)
  const list = [
    ...(everything ? [source.row] : []),
    ...single.map((column) => named(column, source.column(column))),
  ]
  return list.join(', ') || '1'
}

const named = ({ name, computedIn }: Column, sql: string): string =>
  computedIn ? `${sql} as ${quoteName(name)}` : sql

/** The primary key of the one new row as a JSON array of texts; nothing if there are several, or no key. */
export function locationSql(primaryKey: readonly string[]): string {
  if (primaryKey.length === 0) return 'null'
  const texts = primaryKey.map((name) => `to_json(pgrst_row.${quoteName(name)}) #>> '{}'`)
  return `case when count(*) = 1 then (json_agg(json_build_array(${texts.join(', ')})) -> 0)::text end`
}
