import type { JsonPayload } from '../plan/types.ts'
import type { Column } from '../schema.ts'
import { quoteName } from './identifier.ts'
import type { Bind } from './statement.ts'

/** The name under which the rows of a request's body take part in the statement. */
export const BODY = 'pgrst_body'
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
export function bodySource(content: Content, { firstOnly }: { firstOnly: boolean }, bind: Bind): BodySource {
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
