import { restErrors } from '../errors.ts'
import type { Payload, Preferences, RestRequest } from '../request/types.ts'
import { type Column, mostSimilar, type SchemaCache, type Table } from '../schema.ts'
import type { RestSettings } from '../settings.ts'
import {
  answerOf,
  checksOf,
  chooseMedia,
  maxAffectedOf,
  planRows,
  resolveField,
  type Scope,
  tableScope,
} from './answer.ts'
import { planCall } from './call.ts'
import type { Conflict, DeletePlan, InsertPlan, JsonPayload, Plan, Returning, UpdatePlan } from './types.ts'

/**
 * What is wanted → what is to be done: every name found in the schema cache, still no SQL. Pure.
 * Errors: RestError for names that are not there and for parts that contradict each other.
 */
export function planRequest(request: RestRequest, schemaCache: SchemaCache, settings: RestSettings): Plan {
  const { action, prefer } = request
  if (prefer.handling === 'strict' && prefer.invalid.length > 0)
    throw restErrors.badPreferences(prefer.invalid)
  if (action.kind === 'call') return planCall(request, action, schemaCache, settings)

  const table = findTable(request.schema, action.relation, schemaCache)
  const scope = tableScope(table, schemaCache)
  const rows = planRows(request, scope, settings)
  const media = chooseMedia(request.accept, { plainValue: false, plans: settings.plans })
  if (action.kind === 'read') {
    return {
      kind: 'read',
      table,
      rows,
      answer: answerOf(media, prefer, request.head),
      checks: checksOf(media),
    }
  }
  const returning = returningOf(prefer)
  const common = {
    table,
    rows,
    returning,
    answer: answerOf(media, prefer, returning !== 'rows'),
    checks: { ...checksOf(media), ...maxAffectedOf(prefer) },
  }
  const write: Write = { common, request, scope }
  switch (action.kind) {
    case 'insert':
      return planInsert(write, action.payload)
    case 'replace':
      return planReplace(write, action.payload)
    case 'update':
      return planUpdate(write, action.payload)
    case 'delete':
      return planDelete(write)
  }
}

/** Errors: PGRST205, which names a table with a similar name. */
function findTable(schema: string, name: string, schemaCache: SchemaCache): Table {
  const table = schemaCache.table(schema, name)
  if (!table) throw restErrors.unknownTable(schema, name, mostSimilar(name, schemaCache.tableNames(schema)))
  return table
}

const returningOf = (prefer: Preferences): Returning =>
  prefer.return === 'representation' ? 'rows' : prefer.return === 'headers-only' ? 'location' : 'nothing'

/** What a write is planned from, whatever it does. */
interface Write {
  common: Omit<DeletePlan, 'kind' | 'where'>
  request: RestRequest
  scope: Scope
}

/** POST. Errors: PGRST102, PGRST204, 42703. */
function planInsert({ common, request, scope }: Write, payload: Payload): InsertPlan {
  const conflict = conflictOf(common.table.primaryKey, request, scope)
  return {
    ...common,
    kind: 'insert',
    ...contentOf(payload, request, scope),
    ...(conflict && { conflict }),
    matching: [],
  }
}

/** The target is the primary key unless named; a table without either simply gets the rows. */
function conflictOf(
  primaryKey: readonly string[],
  { query, prefer }: RestRequest,
  scope: Scope,
): Conflict | undefined {
  const columns = query.onConflict ?? [...primaryKey]
  if (!prefer.resolution || columns.length === 0) return undefined
  for (const name of columns) resolveField({ name, path: [] }, scope)
  return { columns, resolution: prefer.resolution === 'merge-duplicates' ? 'merge' : 'ignore' }
}

/** PUT: one row, inserted or replaced, that the address names by its whole primary key. Errors: PGRST105, 114, 115. */
function planReplace({ common, request, scope }: Write, payload: Payload): InsertPlan {
  const { query } = request
  if (query.limits.length > 0 || query.offsets.length > 0) throw restErrors.replaceLimited()
  const { primaryKey } = common.table
  if (!namesKey(query, primaryKey)) throw restErrors.replaceFilters()
  const content = contentOf(payload, request, scope)
  const given = new Set(content.columns.map((column) => column.name))
  if (!primaryKey.every((name) => given.has(name))) throw restErrors.replaceMismatch()
  return {
    ...common,
    kind: 'insert',
    ...content,
    missing: 'null',
    conflict: { columns: [...primaryKey], resolution: 'merge' },
    matching: common.rows.where,
    checks: { ...common.checks, replacesOne: true },
  }
}

function namesKey({ where }: RestRequest['query'], primaryKey: readonly string[]): boolean {
  const named = where.map(({ value: filter }) => {
    const isEqual =
      filter.kind === 'test' &&
      !filter.negated &&
      filter.predicate.kind === 'compare' &&
      filter.predicate.operator === 'eq' &&
      !filter.predicate.quantifier
    return isEqual && filter.field.path.length === 0 ? filter.field.name : undefined
  })
  return (
    primaryKey.length > 0 &&
    named.length === primaryKey.length &&
    primaryKey.every((name) => named.includes(name))
  )
}

/**
 * PATCH. Limits and offsets say nothing here: every row that fits is changed, as in PostgREST. Errors: 21000 without any
 * filter, as on a hosted project, which loads pg-safeupdate; all rows can be named by a filter that fits all.
 */
function planUpdate({ common, request, scope }: Write, payload: Payload): UpdatePlan {
  const content = contentOf(payload, request, scope)
  const { where } = common.rows
  // Nothing to set is nothing to do.
  if (where.length === 0 && content.columns.length > 0) throw restErrors.noFilter('UPDATE')
  return { ...common, kind: 'update', ...content, where }
}

/** DELETE. Errors: 21000 without any filter. */
function planDelete({ common }: Write): DeletePlan {
  const { where } = common.rows
  if (where.length === 0) throw restErrors.noFilter('DELETE')
  return { ...common, kind: 'delete', where }
}

interface Content {
  columns: Column[]
  payload: JsonPayload
  missing: 'default' | 'null'
}

function contentOf(payload: Payload, { prefer }: RestRequest, scope: Scope): Content {
  if (payload.kind !== 'json') throw restErrors.badBody('Empty or invalid json')
  return {
    columns: payload.keys.map((name) => columnOf(name, scope)),
    payload,
    missing: prefer.missing ?? 'null',
  }
}

function columnOf(name: string, scope: Scope): Column {
  const column = scope.columns.get(name)
  if (!column) throw restErrors.unknownBodyColumn(scope.name, name)
  return column
}
