import { restErrors } from '../errors.ts'
import type { Action, RestRequest } from '../request/types.ts'
import type { Catalogue, Routine } from '../schema.ts'
import type { RestSettings } from '../settings.ts'
import { answerOf, checksOf, maxAffectedOf } from './answer.ts'
import { chooseMedia } from './media.ts'
import { chooseRoutine, takesWhole } from './routine.ts'
import { planRows } from './rows.ts'
import { resultScope } from './scope.ts'
import type { CallArguments, CallPlan } from './types.ts'

type CallAction = Extract<Action, { kind: 'call' }>

/** Errors: PGRST202 and PGRST203 for the choice of the function, PGRST128, and those of the rows. */
export function planCall(
  request: RestRequest,
  action: CallAction,
  catalogue: Catalogue,
  settings: RestSettings,
): CallPlan {
  const names = argumentNames(request, action)
  const call = { schema: request.schema, name: action.routine, names, payload: action.payload }
  const routine = chooseRoutine(call, catalogue)
  const { returns } = routine
  const many = returns.kind !== 'void' && returns.many
  const limit = maxAffectedOf(request.prefer)
  if (limit.maxAffected !== undefined && !many) throw restErrors.maxAffectedOnSingle()

  const plainValue = returns.kind === 'scalar' && !returns.many
  const media = chooseMedia(request.accept, { plainValue, plans: settings.plans })
  return {
    kind: 'call',
    routine,
    args: planArguments(routine, request, action, names),
    readOnly: action.by === 'query' || routine.volatility !== 'volatile',
    rows: planRows(request, resultScope(routine, catalogue), settings),
    answer: answerOf(media, request.prefer, request.head),
    checks: { ...checksOf(media), ...limit },
  }
}

const argumentNames = ({ query }: RestRequest, { payload }: CallAction): string[] => {
  const names = payload.kind === 'json' ? payload.keys : query.args.map(([name]) => name)
  return [...new Set(names)]
}

function planArguments(
  routine: Routine,
  { query }: RestRequest,
  { payload }: CallAction,
  names: string[],
): CallArguments {
  if (payload.kind === 'none') return { kind: 'direct', values: directValues(routine, query.args) }
  if (payload.kind === 'raw' || takesWhole(routine, payload)) return { kind: 'whole', text: payload.text }
  return { kind: 'json', text: payload.text, names }
}

/** Of an argument given twice the last counts, but a variadic one takes them all. */
function directValues(
  { parameters }: Routine,
  args: RestRequest['query']['args'],
): ReadonlyMap<string, string | string[]> {
  const variadic = new Set(parameters.filter((parameter) => parameter.variadic).map(({ name }) => name))
  const values = new Map<string, string | string[]>()
  for (const [name, value] of args) {
    const before = values.get(name)
    values.set(name, variadic.has(name) ? [...(Array.isArray(before) ? before : []), value] : value)
  }
  return values
}
