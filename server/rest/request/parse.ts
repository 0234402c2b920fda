import { restErrors } from '../errors.ts'
import { limits } from '../settings.ts'
import { parseAccept, parsePrefer } from './headers.ts'
import { parseQuery, resolveWindow } from './query.ts'
import type { Action, Payload, Query, RestRequest, Target, Window } from './types.ts'

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

interface Body {
  contentType: string
  bytes: Uint8Array
}

interface Reading {
  /** Given by `columns=`: the body is then not looked into, the database reads it. */
  columns?: string[] | undefined
  /** A function also takes whole bodies that are no JSON, and may be called with none at all. */
  forRoutine: boolean
}

const RAW: Readonly<Record<string, 'text' | 'xml' | 'bytea'>> = {
  'text/plain': 'text',
  'text/xml': 'xml',
  'application/octet-stream': 'bytea',
}

/** What was sent, checked as far as the database does not do it. Errors: PGRST102. */
export function parsePayload(body: Body, reading: Reading): Payload {
  const type = body.contentType.split(';')[0]?.trim().toLowerCase() || 'application/json'
  if (type === 'application/json') return parseJson(decode(body.bytes), reading)
  if (type === 'application/x-www-form-urlencoded') {
    const pairs = Object.fromEntries(new URLSearchParams(decode(body.bytes)))
    return parseJson(JSON.stringify(pairs), reading)
  }
  const raw = reading.forRoutine && Object.hasOwn(RAW, type) ? RAW[type] : undefined
  if (!raw) throw restErrors.badBody(`Content-Type not acceptable: ${type}`)
  return { kind: 'raw', type: raw, text: raw === 'bytea' ? toBytea(body.bytes) : decode(body.bytes) }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw restErrors.badBody('The request body is not UTF-8')
  }
}

const toBytea = (bytes: Uint8Array): string => `\\x${Buffer.from(bytes).toString('hex')}`

function parseJson(given: string, { columns, forRoutine }: Reading): Payload {
  const text = forRoutine && given.trim() === '' ? '{}' : given
  if (nestsTooDeep(text)) {
    throw restErrors.badBody(`The JSON is nested more than ${limits.nesting} levels deep`)
  }
  const keys = columns ?? (forRoutine ? keysOf(readJson(text)) : commonKeys(readJson(text)))
  return { kind: 'json', text, shape: shapeOf(text), keys }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw restErrors.badBody('Empty or invalid json')
  }
}

function shapeOf(text: string): 'object' | 'array' | 'scalar' {
  const first = text.trimStart()[0]
  return first === '{' ? 'object' : first === '[' ? 'array' : 'scalar'
}

const keysOf = (value: unknown): string[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : []

/** One statement inserts all rows, so all must have the same columns unless `columns=` names them. */
function commonKeys(value: unknown): string[] {
  const rows: unknown[] = Array.isArray(value) ? value : [value]
  const [first, ...others] = rows.map((row) => {
    if (typeof row !== 'object' || row === null || Array.isArray(row))
      throw restErrors.badBody('All object keys must match')
    return Object.keys(row)
  })
  const keys = new Set(first)
  const differs = others.some((names) => names.length !== keys.size || names.some((name) => !keys.has(name)))
  if (differs) throw restErrors.badBody('All object keys must match')
  return [...keys]
}

/** PostgreSQL reads JSON recursively; its stack must not be the client's to overflow. Texts are skipped over. */
function nestsTooDeep(text: string): boolean {
  const marks = /["[\]{}]/g
  const endOfText = /"|\\./gs
  let depth = 0
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
    if (mark[0] === '[' || mark[0] === '{') depth += 1
    else if (mark[0] !== '"') depth -= 1
    else marks.lastIndex = textEnd(text, endOfText, marks.lastIndex)
    if (depth > limits.nesting) return true
  }
  return false
}

function textEnd(text: string, endOfText: RegExp, start: number): number {
  endOfText.lastIndex = start
  let end = endOfText.exec(text)
  while (end && end[0] !== '"') end = endOfText.exec(text)
  return end ? endOfText.lastIndex : text.length
}
