import type { DeletePlan, InsertPlan, JsonPayload, Returning, RowsPlan, UpdatePlan } from '../plan/types.ts'
import type { Column, Table } from '../schema.ts'
import { answerSql, neededFields, rowsSql } from './answer.ts'
import { type Bind, conditionSql, namedSource, quoteName, tableSource, whereSql } from './expressions.ts'

type WritePlan = InsertPlan | UpdatePlan | DeletePlan

/** Counts the rows that an upsert found there already; what is left was inserted. */
const COUNTER = 'pgrst.updated'
const UPDATED = `coalesce(nullif(current_setting('${COUNTER}', true), ''), '0')::int`

/** The write, and the answer from what it returned, as one statement. */
export function writeSql(plan: WritePlan, bind: Bind): string {
  const source = namedSource('pgrst_source')
  const written = changeSql(plan, bind)
  const rows = plan.returning === 'rows' ? { ...plan.rows, where: [], window: { offset: 0 } } : undefined
  const answer = answerSql(
    {
      rows: rows ? rowsSql(rows, source, bind) : `select ${source.row} from ${source.from}`,
      shape: 'rows',
      answer: plan.answer,
      select: plan.rows.select,
      everything: [...plan.table.columns.values()],
      extra: {
        updated: UPDATED,
        ...(plan.returning === 'location' && { location: locationSql(plan.table.primaryKey) }),
      },
    },
    bind,
  )
  return `with ${source.from} as (${written}) ${answer}`
}

function changeSql(plan: WritePlan, bind: Bind): string {
  switch (plan.kind) {
    case 'insert':
      return insertSql(plan, bind)
    case 'update':
      return updateSql(plan, bind)
    case 'delete': {
      const table = tableSource(plan.table)
      return `delete from ${table.from}${whereSql(plan.where, table, bind)} returning ${returningSql(plan)}`
    }
  }
}

function insertSql(plan: InsertPlan, bind: Bind): string {
  const target = tableSource(plan.table).from
  const returning = `returning ${returningSql(plan)}`
  if (plan.columns.length === 0) return `insert into ${target} ${emptyRows(plan, bind)} ${returning}`
  const body = bodySource(plan, { firstOnly: false }, bind)
  const conditions = plan.matching.map((condition) => conditionSql(condition, namedSource(BODY), bind))
  return [
    `insert into ${target} (${names(plan.columns)})`,
    `select ${plan.columns.map(body.value).join(', ')} from ${body.from}`,
    ...(conditions.length > 0 ? [`where ${conditions.join(' and ')}`] : []),
    conflictSql(plan),
    returning,
  ].join(' ')
}

/** Objects without members: as many rows of defaults. */
const emptyRows = ({ payload }: InsertPlan, bind: Bind): string =>
  payload.shape === 'array'
    ? `select from json_array_elements(${bind(payload.text)}::json)`
    : 'default values'

function conflictSql({ conflict, columns }: InsertPlan): string {
  if (!conflict) return ''
  const target = `on conflict (${conflict.columns.map(quoteName).join(', ')})`
  if (conflict.resolution === 'ignore') return `${target} do nothing`
  const changes = columns.map(({ name }) => `${quoteName(name)} = excluded.${quoteName(name)}`)
  return `${target} do update set ${changes.join(', ')} where set_config('${COUNTER}', (${UPDATED} + 1)::text, true) <> ''`
}

function updateSql(plan: UpdatePlan, bind: Bind): string {
  const table = tableSource(plan.table)
  // Nothing to set is nothing to do; the columns are still named, for the answer.
  if (plan.columns.length === 0) return `select ${returningSql(plan)} from ${table.from} where false`
  const body = bodySource(plan, { firstOnly: true }, bind)
  const changes = plan.columns.map((column) => `${quoteName(column.name)} = ${body.value(column)}`)
  return [
    `update ${table.from} set ${changes.join(', ')} from ${body.from}`,
    `${whereSql(plan.where, table, bind)} returning ${returningSql(plan)}`,
  ].join('')
}

const names = (columns: ReadonlyArray<{ name: string }>): string =>
  columns.map(({ name }) => quoteName(name)).join(', ')

/** The name under which the rows of a request's body take part in the statement. */
const BODY = 'pgrst_body'
const ITEM = 'pgrst_item'

interface Content {
  payload: JsonPayload
  columns: readonly Column[]
  missing: 'default' | 'null'
}

interface BodySource {
  /** What stands behind `from`. */
  from: string
  /** What a column is set to. */
  value: (column: Column) => string
}

/** The rows of a JSON body, converted to the columns' types by PostgreSQL; `firstOnly` takes the first of an array. */
function bodySource(content: Content, { firstOnly }: { firstOnly: boolean }, bind: Bind): BodySource {
  return content.missing === 'default'
    ? withDefaults(content, firstOnly, bind)
    : withNulls(content, firstOnly, bind)
}

function withNulls({ payload, columns }: Content, firstOnly: boolean, bind: Bind): BodySource {
  const json = `${bind(payload.text)}::json`
  const isArray = payload.shape === 'array'
  return {
    from: isArray
      ? `(select * from json_to_recordset(${json}) as _(${typed(columns)})${firstOnly ? ' limit 1' : ''}) as ${BODY}`
      : `json_to_record(${json}) as ${BODY}(${typed(columns)})`,
    value: bodyColumn,
  }
}

/** Where an object does not have the key, the column's default is evaluated for that row. */
function withDefaults({ payload, columns }: Content, firstOnly: boolean, bind: Bind): BodySource {
  const json = `${bind(payload.text)}::jsonb`
  const items =
    payload.shape === 'array'
      ? `(select value from jsonb_array_elements(${json})${firstOnly ? ' limit 1' : ''})`
      : `(select ${json} as value)`
  return {
    from: `${items} as ${ITEM}, jsonb_to_record(${ITEM}.value) as ${BODY}(${typed(columns)})`,
    value: (column) =>
      column.default === undefined
        ? bodyColumn(column)
        : `case when ${ITEM}.value ? ${bind(column.name)} then ${bodyColumn(column)} else cast(${column.default} as ${column.type}) end`,
  }
}

export const typed = (columns: ReadonlyArray<{ name: string; type: string }>): string =>
  columns.map(({ name, type }) => `${quoteName(name)} ${type}`).join(', ')

const bodyColumn = ({ name }: { name: string }): string => `${BODY}.${quoteName(name)}`

interface Write {
  table: Table
  rows: RowsPlan
  returning: Returning
}

/**
 * What a write hands on: only what is asked for, since reading a column takes the right to read it. Computed columns
 * are worked out here, where the row is still the table's.
 */
function returningSql({ table, rows, returning }: Write): string {
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
function locationSql(primaryKey: readonly string[]): string {
  if (primaryKey.length === 0) return 'null'
  const texts = primaryKey.map((name) => `to_json(pgrst_row.${quoteName(name)}) #>> '{}'`)
  return `case when count(*) = 1 then (json_agg(json_build_array(${texts.join(', ')})) -> 0)::text end`
}
