import { restErrors } from '../errors.ts'
import type { InsertPlan, Plan } from '../plan/types.ts'
import type { RestRequest } from '../request/types.ts'
import type { Outcome, RowsOutcome } from '../run.ts'
import { preferenceApplied } from './applied.ts'
import { contentRange, rangeStatus } from './content-range.ts'
import { contentType } from './media-type.ts'
import { override, type Reply } from './reply.ts'

/** What the database answered → what the client gets. Pure. Errors: PGRST103, PGRST111, PGRST112. */
export function render(request: RestRequest, plan: Plan, outcome: Outcome): Reply {
  const typed = typeHeaders(request, plan)
  if (outcome.kind === 'plan') return { status: 200, headers: typed, body: outcome.text }
  const applied = preferenceApplied(plan, request.prefer)
  const common: Reply['headers'] = applied ? [['Preference-Applied', applied]] : []
  const reply =
    plan.kind === 'read' || plan.kind === 'call'
      ? renderRead(plan, outcome, [...common, ...typed])
      : renderWrite(plan, outcome, { common, typed })
  return override(reply, outcome)
}

function typeHeaders({ schema, schemaChosen }: RestRequest, { answer }: Plan): Reply['headers'] {
  const type: Reply['headers'][number] = ['Content-Type', contentType(answer.media)]
  return schemaChosen ? [type, ['Content-Profile', schema]] : [type]
}

type ReadingPlan = Extract<Plan, { kind: 'read' | 'call' }>
type WritingPlan = Exclude<Plan, ReadingPlan>

function renderRead(plan: ReadingPlan, outcome: RowsOutcome, headers: Reply['headers']): Reply {
  const counts = {
    offset: plan.rows.window.offset,
    page: outcome.page,
    ...(outcome.total !== undefined && { total: outcome.total }),
  }
  const range: Reply['headers'][number] = ['Content-Range', contentRange(counts)]
  const status = rangeStatus(counts)
  if (status === 416) throw restErrors.offsetBeyondEnd(counts.offset, outcome.total ?? 0, [range])
  if (plan.kind === 'call' && plan.routine.returns.kind === 'void') {
    return { status: 204, headers: [range], body: null }
  }
  return { status, headers: [range, ...headers], body: plan.answer.empty ? null : bodyOf(plan, outcome) }
}

const bodyOf = ({ answer }: Plan, { body }: RowsOutcome): Reply['body'] =>
  answer.media.kind === 'binary' ? new Uint8Array(Buffer.from(body, 'base64')) : body

function renderWrite(
  plan: WritingPlan,
  outcome: RowsOutcome,
  { common, typed }: { common: Reply['headers']; typed: Reply['headers'] },
): Reply {
  const sendsRows = plan.returning === 'rows'
  return {
    status: writeStatus(plan, outcome, sendsRows),
    headers: [...writeHeaders(plan, outcome), ...common, ...(sendsRows ? typed : [])],
    body: sendsRows ? bodyOf(plan, outcome) : null,
  }
}

/** Of an upsert it depends on whether anything was new. */
function writeStatus(plan: WritingPlan, { page, updated }: RowsOutcome, sendsRows: boolean): number {
  if (plan.kind !== 'insert') return sendsRows ? 200 : 204
  const somethingNew = page > updated
  if (plan.checks.replacesOne) return sendsRows ? (somethingNew ? 201 : 200) : 204
  return plan.conflict?.resolution === 'merge' && !somethingNew ? 200 : 201
}

function writeHeaders(plan: WritingPlan, { page, location }: RowsOutcome): Reply['headers'] {
  if (plan.kind === 'insert' && plan.checks.replacesOne) return []
  const { count } = plan.answer
  const counted = count === 'exact' || count === 'estimated' ? { total: page } : {}
  const range = contentRange({ offset: 0, page: plan.kind === 'update' ? page : 0, ...counted })
  return [
    ...(plan.kind === 'insert' && location ? [['Location', locationOf(plan, location)] as const] : []),
    ['Content-Range', range] as const,
  ].map(([name, value]) => [name, value])
}

/** `/table?id=eq.5`, relative to this API. */
function locationOf({ table }: InsertPlan, key: Array<string | null>): string {
  const filters = table.primaryKey.map((name, i) => {
    const value = key[i]
    return `${encodeURIComponent(name)}=${value == null ? 'is.null' : `eq.${encodeURIComponent(value)}`}`
  })
  return `/${encodeURIComponent(table.name)}?${filters.join('&')}`
}
