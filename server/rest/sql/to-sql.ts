import type { Plan, ReadPlan } from '../plan/types.ts'
import type { Media } from '../request/types.ts'
import { answerSql } from './answer.ts'
import { callSource, callSql, withResult } from './call.ts'
import { estimateSql, totalSql } from './count.ts'
import { tableSource } from './identifier.ts'
import { rowsSql } from './rows.ts'
import { type Bind, type Statement, statement } from './statement.ts'
import { writeSql } from './write.ts'

export interface Statements {
  /** Settings that must be made first. */
  session?: Statement
  main: Statement
  /** Asks the planner for the number of rows, if counting found none or more than `from`. */
  estimate?: { from: number; statement: Statement }
}

/** A plan → SQL, one statement for the whole answer. Pure. */
export function toSql(plan: Plan, maxRows: number): Statements {
  const { media } = plan.answer
  const main = statement((bind) => `${explainSql(media)}${mainSql(plan, maxRows, bind)}`)
  const estimate = media.kind === 'plan' ? undefined : estimateOf(plan)
  return { main, ...(estimate && { estimate: { from: maxRows, statement: estimate } }) }
}

function mainSql(plan: Plan, maxRows: number, bind: Bind): string {
  switch (plan.kind) {
    case 'read':
      return readSql(plan, maxRows, bind)
    case 'call':
      return callSql(plan, maxRows, bind)
    case 'insert':
    case 'update':
    case 'delete':
      return writeSql(plan, bind)
  }
}

function readSql({ table, rows, answer }: ReadPlan, maxRows: number, bind: Bind): string {
  const source = tableSource(table)
  const total = totalSql(rows, source, answer, maxRows, bind)
  return answerSql(
    {
      rows: rowsSql(rows, source, bind),
      shape: 'rows',
      answer,
      select: rows.select,
      everything: [...table.columns.values()],
      extra: total ? { total } : {},
    },
    bind,
  )
}

/** Only answers that count rows at the end of a range have use for it. */
function estimateOf(plan: Plan): Statement | undefined {
  if (plan.answer.count !== 'planned' && plan.answer.count !== 'estimated') return undefined
  if (plan.kind === 'read') return statement((bind) => estimateSql(plan.rows, tableSource(plan.table), bind))
  if (plan.kind !== 'call') return undefined
  return statement((bind) => estimateSql(plan.rows, callSource, bind, withResult(plan, bind)))
}

const explainSql = (media: Media): string =>
  media.kind === 'plan' ? `explain (${[`format ${media.format}`, ...media.options].join(', ')}) ` : ''
