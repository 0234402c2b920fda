import type { Answer, RowsPlan } from '../plan/types.ts'
import { whereSql } from './condition.ts'
import type { Source } from './identifier.ts'
import type { Bind } from './statement.ts'

type Counted = Pick<RowsPlan, 'where'>

/**
 * SQL of the number of all rows that fit. An estimate is exact as long as there are no more rows than one answer may
 * hold; beyond, it stops counting one row later. Undefined if nothing is to be counted this way.
 */
export function totalSql(
  { where }: Counted,
  source: Source,
  { count }: Answer,
  maxRows: number,
  bind: Bind,
): string | undefined {
  const matching = () => `from ${source.from}${whereSql(where, source, bind)}`
  switch (count) {
    case 'exact':
      return `(select count(*) ${matching()})`
    case 'estimated':
      return `(select count(*) from (select ${matching()} limit ${maxRows + 1}) pgrst_counted)`
    default:
      return undefined
  }
}

/** What the planner thinks of their number, for counts that are planned or estimated. `before` precedes the query. */
export function estimateSql({ where }: Counted, source: Source, bind: Bind, before = ''): string {
  return `explain (format json) ${before}select from ${source.from}${whereSql(where, source, bind)}`
}
