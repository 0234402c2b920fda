import type { DeletePlan, InsertPlan, UpdatePlan } from '../plan/types.ts'
import { answerSql } from './answer.ts'
import { BODY, bodySource } from './body.ts'
import { conditionSql, whereSql } from './condition.ts'
import { namedSource, quoteName, tableSource } from './identifier.ts'
import { locationSql, returningSql } from './returning.ts'
import { rowsSql } from './rows.ts'
import type { Bind } from './statement.ts'

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
