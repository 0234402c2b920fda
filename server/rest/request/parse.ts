import { restErrors } from '../errors.ts'
import { parseAccept } from './accept.ts'
import { type Body, parsePayload } from './payload.ts'
import { parsePrefer } from './prefer.ts'
import { parseQuery } from './query.ts'
import type { Action, Query, RestRequest, Target, Window } from './types.ts'
import { resolveWindow } from './window.ts'

/** What came over the wire. */
export interface RawRequest {
  method: string
  target: Target
  /** The query string. */
  search: string
  /** By lower-case name. */
  headers: Readonly<Record<string, string>>
  body: Uint8Array
}

/** Words on the wire → what is wanted. Pure: no name is looked up. Errors: RestError, PGRST100–117. */
export function parseRequest(raw: RawRequest, schemas: readonly string[]): RestRequest {
  const { method, target, headers } = raw
  const reads = method === 'GET' || method === 'HEAD'
  const schema = chooseSchema(headers[reads ? 'accept-profile' : 'content-profile'], schemas)
  const kind = actionKind(method, target)
  const query = parseQuery(new URLSearchParams(raw.search), { withArguments: kind === 'call' && reads })
  const body = { contentType: headers['content-type'] ?? '', bytes: raw.body }
  return {
    action: toAction(kind, target.name, { query, body, reads }),
    ...schema,
    head: method === 'HEAD',
    query,
    window: rootWindow(query, method, headers.range),
    prefer: parsePrefer(headers.prefer),
    accept: parseAccept(headers.accept),
  }
}

function chooseSchema(wanted: string | undefined, exposed: readonly string[]) {
  const schema = wanted ?? exposed[0] ?? ''
  if (!exposed.includes(schema)) throw restErrors.unknownSchema(schema, exposed)
  return { schema, schemaChosen: wanted !== undefined || exposed.length > 1 }
}

const KINDS: Readonly<Record<string, Action['kind']>> = {
  GET: 'read',
  HEAD: 'read',
  POST: 'insert',
  PUT: 'replace',
  PATCH: 'update',
  DELETE: 'delete',
}

function actionKind(method: string, target: Target): Action['kind'] {
  if (target.kind === 'relation') {
    if (!Object.hasOwn(KINDS, method)) throw restErrors.method(method)
    return KINDS[method] as Action['kind']
  }
  if (!['GET', 'HEAD', 'POST'].includes(method)) throw restErrors.rpcMethod(method)
  return 'call'
}

function toAction(
  kind: Action['kind'],
  name: string,
  given: { query: Query; body: Body; reads: boolean },
): Action {
  const payload = (forRoutine: boolean) =>
    parsePayload(given.body, { columns: given.query.columns, forRoutine })
  switch (kind) {
    case 'read':
    case 'delete':
      return { kind, relation: name }
    case 'insert':
    case 'replace':
    case 'update':
      return { kind, relation: name, payload: payload(false) }
    case 'call':
      return given.reads
        ? { kind, routine: name, by: 'query', payload: { kind: 'none' } }
        : { kind, routine: name, by: 'body', payload: payload(true) }
  }
}

/** Of a limit given twice the last counts. The Range header is for GET alone (RFC 9110). */
function rootWindow({ limits, offsets }: Query, method: string, range: string | undefined): Window {
  return resolveWindow({
    limit: limits.findLast((at) => at.path.length === 0)?.value,
    offset: offsets.findLast((at) => at.path.length === 0)?.value,
    range: method === 'GET' ? range : undefined,
  })
}
