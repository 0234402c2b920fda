import { z } from 'zod'
import { restErrors } from './errors.ts'
import type { CallPlan, DeletePlan, InsertPlan, Plan, ReadPlan, UpdatePlan } from './plan/types.ts'
import type { Media, Preferences, RestRequest, RowMedia } from './request/types.ts'
import type { Outcome, RowsOutcome } from './run.ts'

/** What the database answered → what the client gets. Pure. Errors: PGRST103, PGRST111, PGRST112. */
export function render(request: RestRequest, plan: Plan, outcome: Outcome): Reply {
  const typed = typeHeaders(request, plan)
  if (outcome.kind === 'plan') return { status: 200, headers: typed, body: outcome.text }
  const reply =
    plan.kind === 'read' || plan.kind === 'call'
      ? renderRead(plan, outcome, typed)
      : renderWrite(plan, outcome, typed)
  const applied = preferenceApplied(plan, request.prefer)
  if (applied) reply.headers.push(['Preference-Applied', applied])
  return override(reply, outcome)
}

/** What belongs to a body, or to the body that HEAD leaves out. */
function typeHeaders({ schema, schemaChosen }: RestRequest, { answer }: Plan): Header[] {
  const type: Header = ['Content-Type', contentType(answer.media)]
  return schemaChosen ? [type, ['Content-Profile', schema]] : [type]
}

/** The rows of a table or function, and which part of all rows they are. Errors: PGRST103. */
function renderRead(plan: ReadPlan | CallPlan, outcome: RowsOutcome, typed: Header[]): Reply {
  const { page, total } = outcome
  const counts = { offset: plan.rows.window.offset, page, ...(total !== undefined && { total }) }
  const range: Header = ['Content-Range', contentRange(counts)]
  const status = rangeStatus(counts)
  if (status === 416) throw restErrors.offsetBeyondEnd(counts.offset, total ?? 0, [range])
  const gives = plan.kind === 'read' || plan.routine.returns.kind !== 'void'
  if (!gives) return { status: 204, headers: [range], body: null }
  return { status, headers: [range, ...typed], body: plan.answer.empty ? null : bodyOf(plan, outcome) }
}

type WritePlan = InsertPlan | UpdatePlan | DeletePlan

/** The rows that were written if they were asked for, else only that it happened (protocol.md 6.10). */
function renderWrite(plan: WritePlan, outcome: RowsOutcome, typed: Header[]): Reply {
  const sendsRows = plan.returning === 'rows'
  return {
    status: statusOf(plan, outcome, sendsRows),
    headers: [...headersOf(plan, outcome), ...(sendsRows ? typed : [])],
    body: sendsRows ? bodyOf(plan, outcome) : null,
  }
}

/** Of an upsert it depends on whether anything was new. */
function statusOf(plan: WritePlan, { page, updated = 0 }: RowsOutcome, sendsRows: boolean): number {
  if (plan.kind !== 'insert') return sendsRows ? 200 : 204
  const somethingNew = page > updated
  if (plan.checks.replacesOne) return sendsRows ? (somethingNew ? 201 : 200) : 204
  return plan.conflict?.resolution === 'merge' && !somethingNew ? 200 : 201
}

function headersOf(plan: WritePlan, { page, location }: RowsOutcome): Header[] {
  if (plan.kind === 'insert' && plan.checks.replacesOne) return []
  const { count } = plan.answer
  const counted = count === 'exact' || count === 'estimated' ? { total: page } : {}
  // Only an update tells how many rows it was even if nobody counted.
  const range = contentRange({ offset: 0, page: plan.kind === 'update' ? page : 0, ...counted })
  const found: Header[] = location ? [['Location', locationOf(plan, JSON.parse(location))]] : []
  return [...found, ['Content-Range', range]]
}

/** `/table?id=eq.5`, relative to this API. */
function locationOf({ table }: WritePlan, key: string[]): string {
  const filters = table.primaryKey.map(
    (name, i) => `${encodeURIComponent(name)}=eq.${encodeURIComponent(key[i] ?? '')}`,
  )
  return `/${encodeURIComponent(table.name)}?${filters.join('&')}`
}

export type Header = [name: string, value: string]

/** An answer before it becomes a Response. */
export interface Reply {
  status: number
  headers: Header[]
  body: string | Uint8Array<ArrayBuffer> | null
}

/** The body as PostgreSQL wrote it; bytes come as base64. */
const bodyOf = ({ answer }: Plan, { body }: RowsOutcome): Reply['body'] =>
  answer.media.kind === 'binary' ? new Uint8Array(Buffer.from(body ?? '', 'base64')) : (body ?? '')

/** What a function set as status and headers wins over ours. Errors: PGRST111, PGRST112. */
function override(reply: Reply, { headers, status }: RowsOutcome): Reply {
  if (headers === null && status === null) return reply
  const own = headers === null ? [] : responseHeaders(headers)
  const replaced = new Set(own.map(([name]) => name.toLowerCase()))
  return {
    ...reply,
    status: status === null ? reply.status : responseStatus(status),
    headers: [...reply.headers.filter(([name]) => !replaced.has(name.toLowerCase())), ...own],
  }
}

/** Statuses whose answers can have no body. */
const BODILESS = new Set([204, 205, 304])

export const toResponse = ({ status, headers, body }: Reply): Response =>
  new Response(BODILESS.has(status) ? null : body, { status, headers })

/** What can stand in a header: neither line breaks nor what no byte can say. */
export const HeaderMap = z.record(
  z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/),
  z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/),
)
const HeaderList = z.array(HeaderMap.refine((pair) => Object.keys(pair).length === 1))

/** `[{"X-Name": "value"}]`, set by a function as `response.headers`. Errors: PGRST111. */
export function responseHeaders(text: string): Array<[name: string, value: string]> {
  try {
    return HeaderList.parse(JSON.parse(text)).flatMap((pair) => Object.entries(pair))
  } catch {
    throw restErrors.badResponseHeaders()
  }
}

/** A status that a function set as `response.status`. Errors: PGRST112. */
export function responseStatus(text: string): number {
  const status = /^\d{3}$/.test(text) ? Number(text) : 0
  if (status < 200 || status > 599) throw restErrors.badResponseStatus()
  return status
}

interface Counts {
  offset: number
  page: number
  total?: number
}

/** `0-9/100`: which rows these are, of how many. Unknown or none is `*`. */
export function contentRange({ offset, page, total }: Counts): string {
  const rows = page > 0 && total !== 0 ? `${offset}-${offset + page - 1}` : '*'
  return `${rows}/${total ?? '*'}`
}

/** 206 for a part of what was counted, 416 for a part that begins behind the end. */
export function rangeStatus({ offset, page, total }: Counts): 200 | 206 | 416 {
  if (total === undefined) return 200
  if (offset > total) return 416
  return page < total ? 206 : 200
}

const rowType = (media: RowMedia): string => {
  switch (media.kind) {
    case 'array':
      return media.stripped ? 'application/vnd.pgrst.array+json;nulls=stripped' : 'application/json'
    case 'object':
      return `application/vnd.pgrst.object+json${media.stripped ? ';nulls=stripped' : ''}`
    case 'csv':
      return 'text/csv'
    case 'text':
      return 'text/plain'
    case 'binary':
      return 'application/octet-stream'
  }
}

/** The Content-Type of an answer. */
function contentType(media: Media): string {
  if (media.kind === 'binary') return rowType(media)
  if (media.kind !== 'plan') return `${rowType(media)}; charset=utf-8`
  const options = media.options.length > 0 ? `; options=${media.options.join('|')}` : ''
  return `application/vnd.pgrst.plan+${media.format}; for="${rowType(media.of)}"${options}; charset=utf-8`
}

/** The Preference-Applied header: which of the preferences were granted. Undefined if none was. */
export function preferenceApplied(plan: Plan, { invalid: _, ...prefer }: Preferences): string | undefined {
  if (Object.keys(prefer).length === 0) return undefined
  const writes = plan.kind === 'insert' || plan.kind === 'update' || plan.kind === 'delete'
  const posts = plan.kind === 'insert' && !plan.checks.replacesOne
  const limited = plan.kind !== 'read' && plan.checks.maxAffected !== undefined
  const granted = {
    resolution: posts && plan.conflict ? prefer.resolution : undefined,
    missing: posts || plan.kind === 'update' ? prefer.missing : undefined,
    return: writes ? prefer.return : undefined,
    count: prefer.count,
    handling: prefer.handling,
    timezone: prefer.timezone,
    'max-affected': limited ? prefer.maxAffected : undefined,
  }
  const words = Object.entries(granted).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${value}`],
  )
  return words.length > 0 ? words.join(', ') : undefined
}
