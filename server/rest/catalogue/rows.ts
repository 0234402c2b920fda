import type { Column, Parameter, Returns, Routine, Table } from './types.ts'

type ColumnRow = Omit<Column, 'default' | 'identity'> & {
  default?: string | null
  identity?: Column['identity'] | null
}

/** A row of `tablesQuery`. */
export interface TableRow {
  schema: string
  name: string
  /** The type of its rows, as functions name it that take one. */
  rowType: string
  columns: ColumnRow[]
  primaryKey: string[]
}

/** A row of `routinesQuery`. */
export interface RoutineRow {
  schema: string
  name: string
  volatility: 'i' | 's' | 'v'
  many: boolean
  void: boolean
  type: string
  parameters: Parameter[]
  columns: ColumnRow[] | null
}

/** A row of `typesQuery`. */
export interface TypeRow {
  name: string
  alias: string
  sql: string
}

export function toTable(row: TableRow, routines: readonly Routine[]): Table {
  return {
    schema: row.schema,
    name: row.name,
    columns: toColumns(row.columns),
    computed: new Map(routines.flatMap((routine) => toComputed(routine, row.rowType))),
    primaryKey: row.primaryKey,
  }
}

/** A function of one row that gives one value is read like a column of that row. */
function toComputed(
  { schema, name, parameters, returns }: Routine,
  rowType: string,
): Array<[string, Column]> {
  const isComputed =
    parameters.length === 1 && parameters[0]?.type === rowType && returns.kind === 'scalar' && !returns.many
  if (!isComputed) return []
  const { type } = returns
  return [[name, { name, type, base: type, nullable: true, generated: true, computedIn: schema }]]
}

const toColumns = (rows: ColumnRow[]): ReadonlyMap<string, Column> =>
  new Map(
    rows.map(({ default: value, identity, ...row }) => [
      row.name,
      { ...row, ...(value != null && { default: value }), ...(identity && { identity }) },
    ]),
  )

const VOLATILITY = { i: 'immutable', s: 'stable', v: 'volatile' } as const

export const toRoutine = ({ schema, name, parameters, ...row }: RoutineRow): Routine => ({
  schema,
  name,
  parameters,
  volatility: VOLATILITY[row.volatility],
  returns: toReturns(row),
})

function toReturns({
  void: nothing,
  columns,
  many,
  type,
}: Pick<RoutineRow, 'void' | 'columns' | 'many' | 'type'>): Returns {
  if (nothing) return { kind: 'void' }
  return columns ? { kind: 'row', many, columns: toColumns(columns) } : { kind: 'scalar', many, type }
}
