import type { DeletePlan, InsertPlan, UpdatePlan } from '../plan/types.ts'
import type { RowsOutcome } from '../run.ts'
import { contentRange } from './content-range.ts'
import { bodyOf, type Header, type Reply } from './reply.ts'

type WritePlan = InsertPlan | UpdatePlan | DeletePlan

/** The rows that were written if they were asked for, else only that it happened (protocol.md 6.10). */
export function renderWrite(plan: WritePlan, outcome: RowsOutcome, typed: Header[]): Reply {
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
