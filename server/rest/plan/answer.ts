import { restErrors } from '../errors.ts'
import type {
  Acceptable,
  Condition,
  Field,
  Media,
  OrderTerm,
  Preferences,
  Query,
  RestRequest,
  RowMedia,
  SelectItem,
  Window,
} from '../request/types.ts'
import { type Column, mostSimilar, type Routine, type SchemaCache, type Table } from '../schema.ts'
import { limits, type RestSettings } from '../settings.ts'
import type { Answer, Checks, FieldRef, Output, RowsPlan } from './types.ts'

/** The rows of an answer. Errors: PGRST123, PGRST127, 42703, 42704. */
export function planRows({ query, window }: RestRequest, scope: Scope, settings: RestSettings): RowsPlan {
  refuseEmbeds(query)
  return {
    select: planSelect(query.select, scope, settings),
    where: query.where.map((at) => resolveCondition(at.value, scope)),
    order: (query.order[0]?.value ?? []).map((term) => resolveOrder(term, scope)),
    window: capWindow(window, settings.maxRows),
  }
}

/** The server-wide cap on rows (REST_MAX_ROWS). */
const capWindow = ({ limit = Number.POSITIVE_INFINITY, offset }: Window, maxRows: number): Window => ({
  limit: Math.min(limit, maxRows),
  offset,
})

function planSelect(items: SelectItem[], scope: Scope, { aggregates }: RestSettings): Output[] {
  refuseRepetition(items)
  const aggregated = items.some((item) => item.kind === 'aggregate')
  if (aggregated && !aggregates) throw restErrors.aggregatesOff()
  // Grouping goes by single columns, so that `*` has to be spelt out then.
  return items.flatMap((item) =>
    item.kind === 'everything' && aggregated ? everyColumn(scope) : planItem(item, scope),
  )
}

/** Errors: PGRST100 for a column that is asked for again and again, under other names or as other types. */
function refuseRepetition(items: SelectItem[]): void {
  const times = new Map<string, number>()
  for (const item of items) {
    const field =
      item.kind === 'everything' ? { name: '*', path: [] } : 'field' in item ? item.field : undefined
    if (!field) continue
    const place = JSON.stringify(field)
    const count = (times.get(place) ?? 0) + 1
    times.set(place, count)
    if (count > limits.sameColumn) throw restErrors.sameColumn(field.name, limits.sameColumn)
  }
}

const everyColumn = ({ columns }: Scope): Output[] =>
  [...columns.values()].map((column) => ({ kind: 'field', name: column.name, field: { column, path: [] } }))

function planItem(item: SelectItem, scope: Scope): Output[] {
  switch (item.kind) {
    case 'everything':
      return [{ kind: 'everything' }]
    case 'field': {
      const field = resolveField(item.field, scope)
      return [
        {
          kind: 'field',
          name: item.alias ?? ownName(field),
          field,
          ...resolveCast('cast', item.cast, scope),
        },
      ]
    }
    case 'aggregate':
      return [
        {
          kind: 'aggregate',
          name: item.alias ?? item.name,
          aggregate: item.name,
          ...(item.field && { field: resolveField(item.field, scope) }),
          ...resolveCast('fieldCast', item.fieldCast, scope),
          ...resolveCast('cast', item.cast, scope),
        },
      ]
    // Refused before, by name.
    case 'embed':
      return []
  }
}

const resolveCast = (key: 'cast' | 'fieldCast', type: string | undefined, scope: Scope) =>
  type === undefined ? {} : { [key]: resolveType(type, scope) }

/** A path is called by its last key: `data->a->0` is "a". */
const ownName = ({ column, path }: FieldRef): string =>
  path.map((step) => step.at).findLast((at) => typeof at === 'string') ?? column.name

/** Where the names of a request are looked up: the columns of one table or of one function's result. */
export interface Scope {
  name: string
  columns: ReadonlyMap<string, Column>
  computed: ReadonlyMap<string, Column>
  schemaCache: SchemaCache
}

export const tableScope = ({ name, columns, computed }: Table, schemaCache: SchemaCache): Scope => ({
  name,
  columns,
  computed,
  schemaCache,
})

export const resultScope = ({ name, returns }: Routine, schemaCache: SchemaCache): Scope => ({
  name,
  columns: returns.kind === 'row' ? returns.columns : new Map(),
  computed: new Map(),
  schemaCache,
})

/** Errors: 42703 for a column that is not there. */
export function resolveField({ name, path }: Field, scope: Scope): FieldRef {
  const column = scope.columns.get(name) ?? scope.computed.get(name)
  if (!column) throw restErrors.unknownColumn(scope.name, name, mostSimilar(name, [...scope.columns.keys()]))
  return { column, path }
}

/** Errors: 42704 for a type that is not there. */
function resolveType(name: string, scope: Scope): string {
  const type = scope.schemaCache.type(name)
  if (!type) throw restErrors.unknownType(name)
  return type
}

function resolveCondition(condition: Condition, scope: Scope): Condition<FieldRef> {
  if (condition.kind === 'test') return { ...condition, field: resolveField(condition.field, scope) }
  return { ...condition, conditions: condition.conditions.map((inner) => resolveCondition(inner, scope)) }
}

const resolveOrder = (term: OrderTerm, scope: Scope): OrderTerm<FieldRef> => ({
  ...term,
  field: resolveField(term.field, scope),
})

/**
 * Embedding other tables is read but not planned yet; each way to ask for it is refused by name.
 * Errors: PGRST127.
 */
function refuseEmbeds({ select, where, order, limits, offsets }: Query): void {
  for (const item of select) {
    if (item.kind === 'embed')
      refuse(item.relation, `${item.spread ? '...' : ''}${item.relation}(…) in select`)
  }
  for (const { path } of [...where, ...order, ...limits, ...offsets]) {
    if (path[0] !== undefined) refuse(path[0], `a parameter of ${path.join('.')}`)
  }
  for (const { relation } of order.flatMap((at) => at.value)) {
    if (relation !== undefined) refuse(relation, `${relation}(…) in order`)
  }
}

function refuse(relation: string, where: string): never {
  throw restErrors.notImplemented(`Embedding of '${relation}' is not supported: ${where}`)
}

interface Offer {
  /** The answer is one plain value, which can also be written without JSON around it. */
  plainValue: boolean
  plans: boolean
}

/** The best form that is both wanted and there. Errors: PGRST107. */
export function chooseMedia(accept: Acceptable[], offer: Offer): Media {
  const chosen = accept.find(({ media }) => media && isOffered(media, offer))?.media
  if (!chosen) throw restErrors.mediaType(accept.map(({ type }) => type))
  return chosen
}

const isOffered = (media: Media, { plainValue, plans }: Offer): boolean => {
  if (media.kind === 'plan') return plans
  return media.kind === 'text' || media.kind === 'binary' ? plainValue : true
}

/** What the rows look like, whether they are sent or only explained. */
export const rowMedia = (media: Media): RowMedia => (media.kind === 'plan' ? media.of : media)

export const answerOf = (media: Media, { count }: Preferences, empty: boolean): Answer => ({
  media,
  empty,
  ...(count && { count }),
})

export const checksOf = (media: Media): Checks => ({
  single: rowMedia(media).kind === 'object',
  replacesOne: false,
})

/** The limit on changed rows counts only when the client insists on being understood (protocol.md 6.6). */
export const maxAffectedOf = ({ handling, maxAffected }: Preferences): Pick<Checks, 'maxAffected'> =>
  handling === 'strict' && maxAffected !== undefined ? { maxAffected } : {}
