import type { Logger } from 'pino'
import { type Database, DatabaseUnavailable, type Transaction } from '#server/database/port.ts'
import { restErrors } from './errors.ts'
import type { Column, Parameter, Returns, Routine, SchemaCache, Table } from './schema.ts'
import { arrayLiteral } from './sql/expressions.ts'

/** PostgREST's channel: `notify pgrst, 'reload schema'` after a migration; an empty message means the same. */
const CHANNEL = 'pgrst'
const RELOAD = new Set(['', 'reload schema'])

/**
 * Keeps the schema cache: read at the first request, and again after a notification that it changed. Requests that
 * come meanwhile wait for the same reading. Errors: PGRST002 while the database cannot be reached.
 */
export function createSchemaCache(
  db: Database,
  schemas: readonly string[],
  log: Logger,
): () => Promise<SchemaCache> {
  let current: Promise<SchemaCache> | undefined
  let listening: Promise<unknown> | undefined

  const forget = () => {
    current = undefined
  }
  const onMessage = (message: string) => {
    if (!RELOAD.has(message)) return
    log.info('the schema cache of /rest/v1 will be read again')
    forget()
  }
  const load = async (): Promise<SchemaCache> => {
    try {
      // Listening comes first, so that no change can fall between the reading and the listening.
      listening ??= db.listen(CHANNEL, onMessage, forget)
      await listening.catch((error) => {
        listening = undefined
        throw error
      })
      return await db.asOwner('read the schema cache of /rest/v1', (tx) => loadSchemaCache(tx, schemas))
    } catch (error) {
      forget()
      if (error instanceof DatabaseUnavailable) throw restErrors.schemaCacheGone()
      // Whatever the database said of our own question, it is no answer to the client's.
      throw new Error('The schema cache of /rest/v1 cannot be read', { cause: error })
    }
  }
  return () => {
    current ??= load()
    return current
  }
}

/** Reads what the schemas offer, in four questions. To be called as the owner. */
async function loadSchemaCache(tx: Transaction, schemas: readonly string[]): Promise<SchemaCache> {
  // With an empty path PostgreSQL writes every name outside its own catalogue with the schema.
  await tx.query(`select set_config('search_path', '', true)`)
  const names = [arrayLiteral(schemas)]
  const tables = await tx.query<TableRow>(tablesQuery, names)
  const routines = await tx.query<RoutineRow>(routinesQuery, names)
  const types = await tx.query<TypeRow>(typesQuery, names)
  return buildSchemaCache(tables.rows, routines.rows.map(toRoutine), types.rows)
}

function buildSchemaCache(tableRows: TableRow[], routineList: Routine[], typeRows: TypeRow[]): SchemaCache {
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

type ColumnRow = Omit<Column, 'default' | 'identity'> & {
  default?: string | null
  identity?: Column['identity'] | null
}

/** A row of `tablesQuery`. */
interface TableRow {
  schema: string
  name: string
  /** The type of its rows, as functions name it that take one. */
  rowType: string
  columns: ColumnRow[]
  primaryKey: string[]
}

/** A row of `routinesQuery`. */
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

/** A row of `typesQuery`. */
interface TypeRow {
  name: string
  alias: string
  sql: string
}

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

/** Each type beside the one beneath its domains. */
const baseTypes = `
  base (oid, beneath) as (
    select oid, oid from pg_type where typtype <> 'd'
    union all
    select t.oid, b.beneath from pg_type t join base b on b.oid = t.typbasetype where t.typtype = 'd'
  )`

/** The columns of a relation, as JSON in their order. */
const columnsOf = (relation: string) => `(
  select coalesce(json_agg(json_build_object(
    'name', a.attname,
    'type', format_type(a.atttypid, a.atttypmod),
    'base', format_type(base.beneath, null),
    'nullable', not (a.attnotnull or t.typnotnull),
    'default', case
      when a.attidentity = 'd' then format('nextval(%L)', pg_get_serial_sequence(a.attrelid::regclass::text, a.attname))
      when a.attgenerated = '' then coalesce(pg_get_expr(d.adbin, d.adrelid), t.typdefault)
    end,
    'identity', case a.attidentity when 'a' then 'always' when 'd' then 'by default' end,
    'generated', a.attgenerated <> ''
  ) order by a.attnum), '[]')
  from pg_attribute a
    join pg_type t on t.oid = a.atttypid
    join base on base.oid = t.oid
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attrelid = ${relation} and a.attnum > 0 and not a.attisdropped)`

/** Tables, views, materialised views, foreign and partitioned tables of the schemas in $1. */
const tablesQuery = `
  with recursive ${baseTypes}
  select n.nspname as schema, c.relname as name, format_type(c.reltype, null) as "rowType",
    ${columnsOf('c.oid')} as columns,
    (select coalesce(json_agg(a.attname order by array_position(k.conkey, a.attnum)), '[]')
     from pg_constraint k join pg_attribute a on a.attrelid = c.oid and a.attnum = any (k.conkey)
     where k.conrelid = c.oid and k.contype = 'p') as "primaryKey"
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'v', 'm', 'f', 'p') and n.nspname = any ($1::text[])
  order by 1, 2`

/** The arguments of function p that have one of the modes: i(n), b(oth), v(ariadic), o(ut), t(able). */
const argumentsOf = (modes: string, shape: string) => `(
  select json_agg(${shape} order by a.place)
  from (
    select coalesce(p.proargnames[i], '') as name, type, coalesce(p.proargmodes[i], 'i') as mode,
      row_number() over (order by i) as place
    from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) with ordinality as u (type, i)
    where coalesce(p.proargmodes[i], 'i') = any ('${modes}')
  ) a join base on base.oid = a.type)`

const parameterShape = `json_build_object('name', a.name, 'type', format_type(a.type, -1),
  'optional', a.place > p.pronargs - p.pronargdefaults, 'variadic', a.mode = 'v')`

const resultColumnShape = `json_build_object('name', a.name, 'type', format_type(a.type, -1),
  'base', format_type(base.beneath, null), 'nullable', true, 'generated', false)`

/** Functions of the schemas in $1 that can be called by name, without those that only triggers may call. */
const routinesQuery = `
  with recursive ${baseTypes}
  select n.nspname as schema, p.proname as name, p.provolatile as volatility, p.proretset as many,
    p.prorettype = 'void'::regtype as void, format_type(p.prorettype, null) as type,
    coalesce(${argumentsOf('{i,b,v}', parameterShape)}, '[]') as parameters,
    coalesce(${argumentsOf('{o,b,t}', resultColumnShape)},
      case when r.typtype = 'c' then ${columnsOf('r.typrelid')} end) as columns
  from pg_proc p
    join pg_namespace n on n.oid = p.pronamespace
    left join base on base.oid = p.prorettype
    left join pg_type r on r.oid = base.beneath
  where p.prokind = 'f' and n.nspname = any ($1::text[])
    and p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)
  order by 1, 2, p.oid`

/** Types that a value can be cast to, under PostgreSQL's own name and under SQL's. */
const typesQuery = `
  select t.typname as name, format_type(t.oid, null) as alias, format_type(t.oid, -1) as sql
  from pg_type t join pg_namespace n on n.oid = t.typnamespace
  where t.typtype in ('b', 'd', 'e', 'r', 'm') and t.typisdefined
    and n.nspname = any ('{pg_catalog,public,extensions}'::text[] || $1::text[])
  order by n.nspname = 'pg_catalog'`
