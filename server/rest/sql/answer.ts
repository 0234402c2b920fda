import { rowMedia } from '../plan/media.ts'
import type { Answer, Output } from '../plan/types.ts'
import { csvHeader, csvRows } from './csv.ts'
import type { Bind } from './statement.ts'

/** What one row of the source is, and whether there may be several. */
export type Shape = 'rows' | 'row' | 'values' | 'value'

/** The column that a function's plain value stands in. */
export const VALUE = 'pgrst_scalar'

interface Parts {
  /** The query of the rows. */
  rows: string
  shape: Shape
  answer: Answer
  select: readonly Output[]
  /** What `*` in `select` stands for. */
  everything: Iterable<string>
  /** Further columns of the one result row. */
  extra?: Record<string, string>
}

/** The whole answer as one row: the body, written by PostgreSQL, the counts, and what functions say of the response. */
export function answerSql(parts: Parts, bind: Bind): string {
  const columns = {
    page: 'count(*)',
    ...(!parts.answer.empty && { body: bodySql(parts, bind) }),
    ...parts.extra,
    headers: setting('response.headers'),
    status: setting('response.status'),
  }
  const list = Object.entries(columns).map(([name, sql]) => `${sql} as ${name}`)
  return `select ${list.join(', ')} from (${parts.rows}) pgrst_row`
}

const setting = (name: string): string => `nullif(current_setting('${name}', true), '')`

function bodySql({ shape, answer, select, everything }: Parts, bind: Bind): string {
  const form = rowMedia(answer.media)
  const plain = shape === 'values' || shape === 'value'
  const item = plain ? `pgrst_row.${VALUE}` : '(pgrst_row.*)'
  switch (form.kind) {
    case 'text':
      return `string_agg(${item}::text, '')`
    case 'binary':
      return `encode(string_agg(${item}::bytea, ''), 'base64')`
    case 'csv':
      return `${bind(csvHeader(select, plain ? [VALUE] : everything))} || E'\\n' || ${csvRows('(pgrst_row.*)')}`
    case 'array':
    case 'object': {
      const one = form.kind === 'object' || shape === 'row' || shape === 'value'
      const json = form.stripped ? `json_strip_nulls(json_agg(${item}))` : `json_agg(${item})`
      return `coalesce(${json}${one ? ' -> 0' : ''}, '${one ? 'null' : '[]'}')::text`
    }
  }
}
