import type { CallerOptions, Database } from '#server/database/port.ts'
import type { Caller } from '#server/tokens/caller.ts'
import { restErrors } from './errors.ts'
import { isCostlyPattern } from './plan/patterns.ts'
import type { Plan } from './plan/types.ts'
import type { Prepare } from './prepare.ts'
import { limits } from './request/limits.ts'
import type { RawRequest } from './request/parse.ts'
import { requestSettings } from './request-settings.ts'
import { render } from './response/render.ts'
import type { Reply } from './response/reply.ts'
import { isSingle, run } from './run.ts'
import type { Catalogue } from './schema.ts'

interface Around {
  db: Database
  catalogue: Catalogue
  prepare: Prepare
  caller: Caller
  /** Tells that nobody waits for the answer any more. */
  signal: AbortSignal
  onChange: (() => Promise<void>) | undefined
}

/** The pipeline: request → plan → SQL → run → response. Every stage but `run` is pure. */
export async function handle(
  raw: RawRequest,
  { db, catalogue, prepare, caller, signal, onChange }: Around,
): Promise<Reply> {
  const { request, plan, statements, patterns } = prepare(raw, catalogue)
  if (caller.role === 'anon') refuseCostly(patterns)
  const readOnly = isReadOnly(plan)
  const options: CallerOptions = {
    readOnly,
    single: readOnly && isSingle(plan, statements),
    settings: requestSettings(raw),
    // Whoever asked for something to be done may leave: it is done all the same.
    signal: readOnly ? signal : undefined,
  }
  const outcome = await db.asCaller(caller, (tx) => run(tx, plan, statements), options)
  if (!readOnly) await onChange?.()
  return render(request, plan, outcome)
}

/** Errors: 2201B, 54000. What visitors of the site search by are no regular expressions; members' are ended by the clock. */
function refuseCostly(patterns: readonly string[]): void {
  if (patterns.length > limits.visitorPatterns) throw restErrors.tooManyPatterns(limits.visitorPatterns)
  if (patterns.some(isCostlyPattern)) throw restErrors.costlyPattern()
}

const isReadOnly = (plan: Plan): boolean => plan.kind === 'read' || (plan.kind === 'call' && plan.readOnly)
