import { expect } from 'vitest'
import { planRequest } from '#server/rest/plan/plan.ts'
import type { Plan } from '#server/rest/plan/types.ts'
import { parseRequest, type RawRequest } from '#server/rest/request/parse.ts'
import type { Column, Routine, SchemaCache, Table } from '#server/rest/schema.ts'
import type { RestSettings } from '#server/rest/settings.ts'

const column = (name: string, type: string, more: Partial<Column> = {}): [string, Column] => [
  name,
  { name, type, base: type, nullable: true, generated: false, ...more },
]

export const things: Table = {
  schema: 'public',
  name: 'things',
  columns: new Map([
    column('id', 'integer', { default: "nextval('public.things_id_seq')", identity: 'by default' }),
    column('name', 'text'),
    column('data', 'jsonb'),
    column('tags', 'text[]'),
    column('words', 'tsvector'),
    column('odd "name"', 'character varying(5)'),
  ]),
  computed: new Map([column('shout', 'text', { computedIn: 'public' })]),
  primaryKey: ['id'],
}

const view: Table = { ...things, name: 'some things', computed: new Map(), primaryKey: [] }

export const routine = (name: string, more: Partial<Routine> = {}): Routine => ({
  schema: 'public',
  name,
  parameters: [],
  volatility: 'volatile',
  returns: { kind: 'scalar', many: false, type: 'text' },
  ...more,
})

export const parameter = (name: string, type: string, more = {}) => ({
  name,
  type,
  optional: false,
  variadic: false,
  ...more,
})

/** What the plan and SQL stages are tested with: no database. */
export function madeSchemaCache(routines: Routine[] = []): SchemaCache {
  const types: Readonly<Record<string, string>> = { text: 'text', int: 'integer' }
  return {
    table: (schema, name) => [things, view].find((table) => table.schema === schema && table.name === name),
    routines: (schema, name) => routines.filter((one) => one.schema === schema && one.name === name),
    type: (name) => (Object.hasOwn(types, name) ? types[name] : undefined),
    tableNames: () => [things.name, view.name],
    routineNames: () => routines.map((one) => one.name),
  }
}

export const restSettings: RestSettings = {
  schemas: ['public'],
  maxRows: 1000,
  aggregates: true,
  plans: true,
}

type Words = Partial<Omit<RawRequest, 'search' | 'body' | 'target'>> & { path?: string; body?: unknown }
type Request = Words & { routines?: Routine[]; settings?: Partial<RestSettings> }

/** A request that is written as it would be sent: `{ method: 'PATCH', path: '/things?id=eq.1' }`. */
export function rawRequest({ path = '/things', body, ...more }: Words): RawRequest {
  const url = new URL(path, 'http://rest')
  const [, first = '', second] = url.pathname.split('/').map(decodeURIComponent)
  return {
    method: 'GET',
    headers: {},
    ...more,
    target: second === undefined ? { kind: 'relation', name: first } : { kind: 'routine', name: second },
    search: url.search,
    body: new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body)),
  }
}

/** The plan of such a request. */
export function planOf({ routines, settings, ...words }: Request): Plan {
  const all = { ...restSettings, ...settings }
  return planRequest(parseRequest(rawRequest(words), all.schemas), madeSchemaCache(routines), all)
}

/** What a refused request hears. */
export const refused = (status: number, code: string, more: object = {}) =>
  expect.objectContaining({ status, body: expect.objectContaining({ code, ...more }) })
