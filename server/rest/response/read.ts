import { restErrors } from '../errors.ts'
import type { CallPlan, ReadPlan } from '../plan/types.ts'
import type { RowsOutcome } from '../run.ts'
import { contentRange, rangeStatus } from './content-range.ts'
import { bodyOf, type Header, type Reply } from './reply.ts'

/** The rows of a table or function, and which part of all rows they are. Errors: PGRST103. */
export function renderRead(plan: ReadPlan | CallPlan, outcome: RowsOutcome, typed: Header[]): Reply {
  const { page, total } = outcome
  const counts = { offset: plan.rows.window.offset, page, ...(total !== undefined && { total }) }
  const range: Header = ['Content-Range', contentRange(counts)]
  const status = rangeStatus(counts)
  if (status === 416) throw restErrors.offsetBeyondEnd(counts.offset, total ?? 0, [range])
  const gives = plan.kind === 'read' || plan.routine.returns.kind !== 'void'
  if (!gives) return { status: 204, headers: [range], body: null }
  return { status, headers: [range, ...typed], body: plan.answer.empty ? null : bodyOf(plan, outcome) }
}
