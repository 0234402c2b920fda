import type { Transaction } from '#server/database/port.ts'
import { arrayLiteral } from '../sql/identifier.ts'
import { routinesQuery, tablesQuery, typesQuery } from './queries.ts'
import { type RoutineRow, type TableRow, type TypeRow, toRoutine, toTable } from './rows.ts'
import type { Catalogue, Routine } from './types.ts'

/** Reads what the schemas offer, in four questions. To be called as the owner. */
export async function loadCatalogue(tx: Transaction, schemas: readonly string[]): Promise<Catalogue> {
  // With an empty path PostgreSQL writes every name outside its own catalogue with the schema.
  await tx.query(`select set_config('search_path', '', true)`)
  const names = [arrayLiteral(schemas)]
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
