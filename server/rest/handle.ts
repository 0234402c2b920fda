import type { Database } from '#server/database/port.ts'
import type { Caller } from '#server/identity/caller.ts'
import type { Catalogue } from './catalogue/types.ts'
import { planRequest } from './plan/plan.ts'
import type { Plan, RestSettings } from './plan/types.ts'
import { parseRequest, type RawRequest } from './request/parse.ts'
import { requestSettings } from './request-settings.ts'
import { render } from './response/render.ts'
import type { Reply } from './response/reply.ts'
import { run } from './run.ts'
import { sessionSql } from './sql/session.ts'
import { toSql } from './sql/to-sql.ts'

interface Around {
  db: Database
  catalogue: Catalogue
  settings: RestSettings
  caller: Caller
}

/** The pipeline: request → plan → SQL → run → response. Every stage but `run` is pure. */
export async function handle(raw: RawRequest, { db, catalogue, settings, caller }: Around): Promise<Reply> {
  const request = parseRequest(raw, settings.schemas)
  const plan = planRequest(request, catalogue, settings)
  const statements = { ...toSql(plan, settings.maxRows), ...sessionSql(request) }
  const options = { readOnly: isReadOnly(plan), settings: requestSettings(raw) }
  const outcome = await db.asCaller(caller, (tx) => run(tx, plan, statements), options)
  return render(request, plan, outcome)
}

const isReadOnly = (plan: Plan): boolean => plan.kind === 'read' || (plan.kind === 'call' && plan.readOnly)
