import { restErrors } from '../errors.ts'
import type { Payload, RestRequest } from '../request/types.ts'
import type { Column } from '../schema.ts'
import { resolveField, type Scope } from './scope.ts'
import type { Conflict, DeletePlan, InsertPlan, JsonPayload, UpdatePlan } from './types.ts'

/** What a write is planned from, whatever it does. */
export interface Write {
  common: Omit<DeletePlan, 'kind' | 'where'>
  request: RestRequest
  scope: Scope
}

/** POST. Errors: PGRST102, PGRST204, 42703. */
export function planInsert({ common, request, scope }: Write, payload: Payload): InsertPlan {
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
export function planReplace({ common, request, scope }: Write, payload: Payload): InsertPlan {
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
export function planUpdate({ common, request, scope }: Write, payload: Payload): UpdatePlan {
  const content = contentOf(payload, request, scope)
  const { where } = common.rows
  // Nothing to set is nothing to do.
  if (where.length === 0 && content.columns.length > 0) throw restErrors.noFilter('UPDATE')
  return { ...common, kind: 'update', ...content, where }
}

/** DELETE. Errors: 21000 without any filter. */
export function planDelete({ common }: Write): DeletePlan {
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
