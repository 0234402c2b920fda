import { restErrors } from '../errors.ts'
import type { Action, Payload, RestRequest } from '../request/types.ts'
import { mostSimilar, type Routine, type SchemaCache } from '../schema.ts'
import type { RestSettings } from '../settings.ts'
import { answerOf, checksOf, chooseMedia, maxAffectedOf, planRows, resultScope } from './answer.ts'
import type { CallArguments, CallPlan } from './types.ts'

type CallAction = Extract<Action, { kind: 'call' }>

/** Errors: PGRST202 and PGRST203 for the choice of the function, PGRST128, and those of the rows. */
export function planCall(
  request: RestRequest,
  action: CallAction,
  schemaCache: SchemaCache,
  settings: RestSettings,
): CallPlan {
  const names = argumentNames(request, action)
  const call = { schema: request.schema, name: action.routine, names, payload: action.payload }
  const routine = chooseRoutine(call, schemaCache)
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
    rows: planRows(request, resultScope(routine, schemaCache), settings),
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

interface Call {
  schema: string
  name: string
  /** Names of the arguments that were given. */
  names: string[]
  payload: Payload
}

/**
 * Chooses among the functions of one name by the names of the arguments (protocol.md 6.8); a function of one unnamed
 * argument takes the whole body if no other fits. Errors: PGRST202 if none fits, PGRST203 if several do.
 */
function chooseRoutine(call: Call, schemaCache: SchemaCache): Routine {
  const overloads = schemaCache.routines(call.schema, call.name)
  const byNames =
    call.payload.kind === 'raw' ? [] : overloads.filter((routine) => fitsNames(routine, call.names))
  const candidates =
    byNames.length > 0 ? byNames : overloads.filter((routine) => takesWhole(routine, call.payload))
  const [routine, ...others] = candidates
  if (!routine) throw notFound(call, overloads, schemaCache)
  if (others.length > 0) throw restErrors.ambiguousRoutine(candidates.map(signature))
  return routine
}

/** Every argument is one of the function's, and none that it needs is missing. */
function fitsNames({ parameters }: Routine, names: string[]): boolean {
  const known = new Set(parameters.map((parameter) => parameter.name))
  const given = new Set(names)
  return (
    names.every((name) => name !== '' && known.has(name)) &&
    parameters.every(({ name, optional }) => optional || given.has(name))
  )
}

const JSON_TYPES = new Set(['json', 'jsonb'])

/** Whether the body as it is can be the only, unnamed argument. */
function takesWhole({ parameters: [only, ...others] }: Routine, payload: Payload): boolean {
  if (only?.name !== '' || others.length > 0) return false
  if (payload.kind === 'raw') return only.type === payload.type
  return payload.kind === 'json' && JSON_TYPES.has(only.type)
}

const signature = ({ schema, name, parameters }: Routine): string =>
  `${schema}.${name}(${parameters.map((parameter) => `${parameter.name} => ${parameter.type}`).join(', ')})`

function notFound(
  { schema, name, names, payload }: Call,
  overloads: readonly Routine[],
  schemaCache: SchemaCache,
) {
  const full = `${schema}.${name}`
  if (payload.kind === 'raw') {
    const wanted = `with a single unnamed ${payload.type} parameter`
    return restErrors.unknownRoutine(
      `Could not find the function ${full} in the schema cache`,
      `Searched for the function ${full} ${wanted}, but no matches were found in the schema cache.`,
    )
  }
  const listed = names.toSorted().join(', ')
  const head = names.length > 0 ? `${full}(${listed})` : `${full} without parameters`
  const search = names.length > 0 ? `${full} with parameter${names.length > 1 ? 's' : ''} ${listed}` : head
  const whole = payload.kind === 'json' ? ' or with a single unnamed json/jsonb parameter' : ''
  return restErrors.unknownRoutine(
    `Could not find the function ${head} in the schema cache`,
    `Searched for the function ${search}${whole}, but no matches were found in the schema cache.`,
    similarCall({ schema, name, listed }, overloads, schemaCache),
  )
}

function similarCall(
  call: { schema: string; name: string; listed: string },
  overloads: readonly Routine[],
  schemaCache: SchemaCache,
) {
  const lists = overloads.map(({ parameters }) =>
    parameters
      .map((parameter) => parameter.name)
      .toSorted()
      .join(', '),
  )
  const similar =
    overloads.length > 0
      ? call.name.concat(`(${mostSimilar(call.listed, lists, 0.3) ?? lists[0]})`)
      : mostSimilar(call.name, schemaCache.routineNames(call.schema))
  return similar && `Perhaps you meant to call the function ${call.schema}.${similar}`
}
