import type { Transaction } from '#server/database/port.ts'
import { restErrors } from './errors.ts'
import type { Checks, Plan } from './plan/types.ts'
import { limits } from './settings.ts'
import type { Statement } from './sql/expressions.ts'
import type { Statements } from './sql/to-sql.ts'

/** What the database answered: rows, or how it would find them. */
export type Outcome = { kind: 'plan'; text: string } | ({ kind: 'rows' } & RowsOutcome)

/** The one row of the query, as the SQL stage writes it (`sql/answer.ts`); each kind of plan has its own columns. */
export interface RowsOutcome {
  /** Rows in the answer, or rows that were written. */
  page: number
  /** All rows that fit, if they were counted. */
  total?: number
  /** Whether rows were left out of the body, because it would be larger than an answer may be. */
  oversized?: boolean
  /** Ready to be sent. */
  body?: string | null
  /** Of an upsert: rows that were there before. */
  updated?: number
  /** The new row's primary key: a JSON array of texts. */
  location?: string | null
  /** `response.headers` and `response.status`, as functions set them. */
  headers: string | null
  status: string | null
}

/**
 * Runs a plan in a transaction under way: the one stage that touches the database.
 * Errors: those of the database, and PGRST115, 116, 124 when the rows are not what was asked for; all roll back.
 */
export async function run(
  tx: Transaction,
  plan: Plan,
  { session, main, estimate }: Statements,
): Promise<Outcome> {
  if (session) await ask(tx, session)
  if (plan.answer.media.kind === 'plan') {
    const lines = await explain(tx, main)
    return { kind: 'plan', text: lines.map(lineOfPlan).join('\n') }
  }
  const [row] = await ask<RowsOutcome>(tx, main, { repeated: true })
  if (!row) throw new Error('a query of aggregates gave no row')
  check(plan.checks, row.page)
  // Signs that need an escape in JSON make a text longer than it was.
  if (row.oversized || (row.body?.length ?? 0) > limits.answer) throw restErrors.answerTooLarge(limits.answer)
  const { total } = row
  if (!estimate || (total !== undefined && total <= estimate.from)) return { kind: 'rows', ...row }
  const [planned] = await explain(tx, estimate.statement)
  return { kind: 'rows', ...row, total: Math.max(total ?? 0, plannedRows(planned)) }
}

/** Whether a plan comes to one statement, whatever that finds. */
export const isSingle = (plan: Plan, { session, estimate }: Statements): boolean =>
  !session && !estimate && plan.answer.media.kind !== 'plan'

const ask = async <Row>(
  tx: Transaction,
  { text, values }: Statement,
  options: { repeated?: boolean } = {},
): Promise<Row[]> => (await tx.query<Row>(text, values, options)).rows

const explain = async (tx: Transaction, query: Statement): Promise<unknown[]> =>
  (await ask<{ 'QUERY PLAN': unknown }>(tx, query)).map((row) => row['QUERY PLAN'])

/** The driver has parsed a plan in JSON already. */
const lineOfPlan = (line: unknown): string => (typeof line === 'string' ? line : JSON.stringify(line))

function check({ single, maxAffected, replacesOne }: Checks, page: number): void {
  if (replacesOne && page !== 1) throw restErrors.replaceMismatch()
  if (single && page !== 1) throw restErrors.notSingle(page)
  if (maxAffected !== undefined && page > maxAffected) throw restErrors.tooManyAffected(page)
}

/** `[{"Plan": {"Plan Rows": 8, …}}]` */
function plannedRows(plan: unknown): number {
  const [root] = plan as Array<{ Plan: { 'Plan Rows': number } }>
  return root?.Plan['Plan Rows'] ?? 0
}
