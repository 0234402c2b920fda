import type { Transaction } from '#server/database/port.ts'
import { routinesQuery, tablesQuery, typesQuery } from './queries.ts'
import type { Catalogue, Column, Parameter, Returns, Routine, Table } from './types.ts'

type ColumnRow = Omit<Column, 'default' | 'identity'> & {
  default?: string | null
  identity?: Column['identity'] | null
}

interface TableRow {
  schema: string
  name: string
  /** The type of its rows, as functions name it that take one. */
  rowType: string
  columns: ColumnRow[]
  primaryKey: string[]
}

interface RoutineRow {
  schema: string
  name: string
  volatility: 'i' | 's' | 'v'
  many: boolean
  void: boolean
  type: string
  parameters: Parameter[]
  columns: ColumnRow[] | null
}

interface TypeRow {
  name: string
  alias: string
  sql: string
}

/** Reads what the schemas offer, in four questions. To be called as the owner. */
export async function loadCatalogue(tx: Transaction, schemas: readonly string[]): Promise<Catalogue> {
  // With an empty path PostgreSQL writes every name outside its own catalogue with the schema.
  await tx.query(`select set_config('search_path', '', true)`)
  const names = [`{${schemas.map((schema) => JSON.stringify(schema)).join(',')}}`]
  const tables = await tx.query<TableRow>(tablesQuery, names)
  const routines = await tx.query<RoutineRow>(routinesQuery, names)
  const types = await tx.query<TypeRow>(typesQuery, names)
  return createCatalogue(tables.rows, routines.rows.map(toRoutine), types.rows)
}

function createCatalogue(tableRows: TableRow[], routineList: Routine[], typeRows: TypeRow[]): Catalogue {
  const tables = new Map(tableRows.map((row) => [key(row.schema, row.name), toTable(row, routineList)]))
  const routines = Map.groupBy(routineList, (routine) => key(routine.schema, routine.name))
  const types = new Map(
    typeRows.flatMap(({ name, alias, sql }) => [
      [name, sql],
      [alias, sql],
    ]),
  )
  for (const [spelling, sql] of SPELLINGS) types.set(spelling, sql)
  const namesIn = (schema: string, items: ReadonlyArray<{ schema: string; name: string }>) =>
    items.filter((item) => item.schema === schema).map((item) => item.name)
  return {
    table: (schema, name) => tables.get(key(schema, name)),
    routines: (schema, name) => routines.get(key(schema, name)) ?? [],
    type: (name) => types.get(name.toLowerCase()),
    tableNames: (schema) => namesIn(schema, tableRows),
    routineNames: (schema) => namesIn(schema, routineList),
  }
}

/** SQL's spellings that are no names of types. */
const SPELLINGS = [
  ['int', 'integer'],
  ['decimal', 'numeric'],
  ['dec', 'numeric'],
  ['float', 'double precision'],
  ['char', 'character(1)'],
] as const

/** No name in PostgreSQL can hold the NUL between the two. */
const key = (schema: string, name: string): string => `${schema}\0${name}`

function toTable(row: TableRow, routines: readonly Routine[]): Table {
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

const toRoutine = ({ schema, name, parameters, ...row }: RoutineRow): Routine => ({
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
