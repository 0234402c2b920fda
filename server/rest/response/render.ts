import type { Plan } from '../plan/types.ts'
import type { RestRequest } from '../request/types.ts'
import type { Outcome } from '../run.ts'
import { preferenceApplied } from './applied.ts'
import { contentType } from './media-type.ts'
import { renderRead } from './read.ts'
import { type Header, override, type Reply } from './reply.ts'
import { renderWrite } from './write.ts'

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
