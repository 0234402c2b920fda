import { rowMedia } from '../plan/answer.ts'
import type { Answer, FieldRef, Output, RowsPlan } from '../plan/types.ts'
import type { Window } from '../request/types.ts'
import type { Column } from '../schema.ts'
import { limits } from '../settings.ts'
import { type Bind, fieldSql, orderSql, quoteName, type Source, whereSql } from './expressions.ts'

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

const hasPlainValues = ({ shape }: Parts): boolean => shape === 'values' || shape === 'value'

function measuredSql(parts: Parts): string {
  const item = hasPlainValues(parts) ? `pgrst_row.${VALUE}` : 'pgrst_row'
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
      const names = csvHeader(select, hasPlainValues(parts) ? [VALUE] : everything.map(({ name }) => name))
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
  if (output.kind === 'field' && keepsItsName(output)) return source.column(output.field.column)
  const value =
    output.kind === 'field' ? fieldSql(output.field, source, bind) : aggregateSql(output, source, bind)
  return `${castSql(value, output.cast)} as ${quoteName(output.name)}`
}

/** A column that keeps its name, as nearly all do. */
const keepsItsName = ({ name, field, cast }: Extract<Output, { kind: 'field' }>): boolean =>
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

/**
 * One line for each row, fields by commas, quoted where needed (RFC 4180). A record's text form is that already, but
 * for the parentheses around it and its doubled backslashes.
 */
const csvRows = (item: string, filter: string): string =>
  `coalesce(string_agg(replace(substr(${item}::text, 2, length(${item}::text) - 2), E'\\\\\\\\', E'\\\\'), E'\\n') ${filter}, '')`

/** The first line: the columns' names. `everything` is what `*` stands for. */
function csvHeader(select: readonly Output[], everything: Iterable<string>): string {
  const all = [...everything]
  const names = select.flatMap((output) => (output.kind === 'everything' ? all : [output.name]))
  return names.map((name) => (/[",\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name)).join(',')
}
