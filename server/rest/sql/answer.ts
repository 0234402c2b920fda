import { rowMedia } from '../plan/media.ts'
import type { Answer, Output } from '../plan/types.ts'
import { limits } from '../request/limits.ts'
import type { Column } from '../schema.ts'
import { csvHeader, csvRows } from './csv.ts'
import { quoteName } from './identifier.ts'
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
  everything: readonly Sized[]
  /** Further columns of the one result row. */
  extra?: Record<string, string>
}

/** One row of the answer, and the bytes of all rows up to it, as the middle query names them. */
const ITEM = 'pgrst_item'
const BYTES = 'pgrst_bytes'
const WITHIN_LIMIT = `filter (where ${BYTES} <= ${limits.answer})`

/**
 * The whole answer as one row: the body, written by PostgreSQL, the counts, and what functions say of the response.
 * Rows beyond the largest answer are left out while it is written, so that nobody's memory holds more; `oversized` tells.
 */
export function answerSql(parts: Parts, bind: Bind): string {
  const { answer, rows, extra } = parts
  const columns = {
    page: 'count(*)',
    ...(!answer.empty && { oversized: `max(${BYTES}) > ${limits.answer}`, body: bodySql(parts, bind) }),
    ...extra,
    headers: setting('response.headers'),
    status: setting('response.status'),
  }
  const list = Object.entries(columns).map(([name, sql]) => `${sql} as ${name}`)
  const source = answer.empty ? `(${rows}) pgrst_row` : `(${measuredSql(parts)}) pgrst_measured`
  return `select ${list.join(', ')} from ${source}`
}

const setting = (name: string): string => `nullif(current_setting('${name}', true), '')`

const isPlain = ({ shape }: Parts): boolean => shape === 'values' || shape === 'value'

function measuredSql(parts: Parts): string {
  const item = isPlain(parts) ? `pgrst_row.${VALUE}` : 'pgrst_row'
  // Sums of whole numbers would be numeric, which is slow; double precision is exact far beyond the limit.
  const bytes = `sum((${bytesSql(parts)})::double precision) over (rows unbounded preceding)`
  return `select ${item} as ${ITEM}, ${bytes} as ${BYTES} from (${parts.rows}) pgrst_row`
}

/** Bytes of a row. The length of a text is known without reading it; of other values the stored size has to do. */
function bytesSql({ select, everything }: Parts): string {
  const columns = select.flatMap((output) => (output.kind === 'everything' ? everything : [asColumn(output)]))
  const names = new Set(columns.map(({ name }) => name))
  // Of two columns with one name neither can be asked for by it.
  if (names.size < columns.length || names.size === 0) return 'pg_column_size(pgrst_row)'
  const sizes = columns
    .filter(({ base }) => !FIXED_SIZE.has(base))
    .map(({ name, base, nullable }) => {
      const size = `${TEXTS.has(base) ? 'octet_length' : 'pg_column_size'}(pgrst_row.${quoteName(name)})`
      return nullable ? `coalesce(${size}, 0)` : size
    })
  return [`${columns.length * LEAST_BYTES}::bigint`, ...sizes].join(' + ')
}

type Sized = Pick<Column, 'name' | 'base' | 'nullable'>

const asColumn = (output: Exclude<Output, { kind: 'everything' }>): Sized => {
  const isWhole = output.kind === 'field' && output.field.path.length === 0 && !output.cast
  return isWhole
    ? { ...output.field.column, name: output.name }
    : { name: output.name, base: '', nullable: true }
}

const TEXTS = new Set(['text', 'character varying', 'bytea'])
const FIXED_SIZE = new Set([
  ...['uuid', 'boolean', 'smallint', 'integer', 'bigint', 'real', 'double precision', 'date'],
  ...['timestamp with time zone', 'timestamp without time zone'],
])
/** What a value takes in an answer beside what is counted: its name, quotes and commas, or all of a short one. */
const LEAST_BYTES = 20

function bodySql(parts: Parts, bind: Bind): string {
  const { shape, answer, select, everything } = parts
  const form = rowMedia(answer.media)
  switch (form.kind) {
    case 'text':
      return `string_agg(${ITEM}::text, '') ${WITHIN_LIMIT}`
    case 'binary':
      return `encode(string_agg(${ITEM}::bytea, '') ${WITHIN_LIMIT}, 'base64')`
    case 'csv': {
      const names = csvHeader(select, isPlain(parts) ? [VALUE] : everything.map(({ name }) => name))
      return `${bind(names)} || E'\\n' || ${csvRows(ITEM, WITHIN_LIMIT)}`
    }
    case 'array':
    case 'object': {
      const one = form.kind === 'object' || shape === 'row' || shape === 'value'
      const items = `json_agg(${ITEM}) ${WITHIN_LIMIT}`
      const json = form.stripped ? `json_strip_nulls(${items})` : `(${items})`
      return `coalesce(${json}${one ? ' -> 0' : ''}, '${one ? 'null' : '[]'}')::text`
    }
  }
}
