import { LRUCache } from 'lru-cache'
import type { CallerOptions, Database } from '#server/database/port.ts'
import type { Caller } from '#server/tokens/caller.ts'
import { restErrors } from './errors.ts'
import { planRequest } from './plan/plan.ts'
import type { Plan } from './plan/types.ts'
import { parseRequest, type RawRequest } from './request/parse.ts'
import type { Condition, RestRequest } from './request/types.ts'
import { type Reply, render } from './response.ts'
import { isSingle, run } from './run.ts'
import type { SchemaCache } from './schema.ts'
import { limits, type RestSettings } from './settings.ts'
import { type Statements, sessionSql, toSql } from './sql/to-sql.ts'

interface HandleDeps {
  db: Database
  schemaCache: SchemaCache
  prepare: Prepare
  caller: Caller
  /** Tells that nobody waits for the answer any more. */
  signal: AbortSignal
  onChange: (() => Promise<void>) | undefined
}

/** The pipeline: request → plan → SQL → run → response. Every stage but `run` is pure. */
export async function handle(
  raw: RawRequest,
  { db, schemaCache, prepare, caller, signal, onChange }: HandleDeps,
): Promise<Reply> {
  const { request, plan, statements } = prepare(raw, schemaCache, caller.role === 'anon')
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

const isReadOnly = (plan: Plan): boolean => plan.kind === 'read' || (plan.kind === 'call' && plan.readOnly)

/** A request after the pure stages: understood, planned and written as SQL. */
interface Prepared {
  request: RestRequest
  plan: Plan
  statements: Statements
  /** The regular expressions that rows are matched by. */
  patterns: readonly string[]
}

/** What visitors may not ask for is refused before its SQL is written. */
type Prepare = (raw: RawRequest, schemaCache: SchemaCache, forVisitor?: boolean) => Prepared

/** Listings are asked for again and again in the same words. */
const REMEMBERED_READS = 500
const LONGEST_KEY = 2000

/**
 * Request → plan → SQL. Nothing but the request and the schema cache decides over the outcome, so that reads are
 * remembered until the schema cache changes; what they find is not. Errors: RestError.
 */
export function createPrepare(settings: RestSettings): Prepare {
  const reads = new LRUCache<string, Prepared>({ max: REMEMBERED_READS })
  let readsOf: SchemaCache | undefined
  const prepare = (raw: RawRequest, schemaCache: SchemaCache, forVisitor: boolean): Prepared => {
    const request = parseRequest(raw, settings.schemas)
    const plan = planRequest(request, schemaCache, settings)
    const patterns = request.query.where.flatMap(({ value }) => patternsIn(value))
    if (forVisitor) refuseCostly(patterns)
    const statements = { ...toSql(plan, settings.maxRows), ...sessionSql(request) }
    return { request, plan, statements, patterns }
  }
  return (raw, schemaCache, forVisitor = false) => {
    const key = keyOf(raw)
    if (key === undefined) return prepare(raw, schemaCache, forVisitor)
    if (schemaCache !== readsOf) {
      reads.clear()
      readsOf = schemaCache
    }
    const known = reads.get(key)
    if (known && forVisitor) refuseCostly(known.patterns)
    const prepared = known ?? prepare(raw, schemaCache, forVisitor)
    reads.set(key, prepared)
    return prepared
  }
}

/** All that the pure stages look at; undefined for what is not worth remembering. */
function keyOf({ method, target, search, headers }: RawRequest): string | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined
  const { accept, prefer, range, 'accept-profile': profile } = headers
  const key = JSON.stringify([method, target.kind, target.name, search, accept, prefer, range, profile])
  return key.length <= LONGEST_KEY ? key : undefined
}

/** Headers that carry secrets. PostgreSQL writes statements with their values into its log, so they stay out of it. */
const SECRET = new Set(['apikey', 'authorization', 'cookie'])

/** What functions and policies can ask about the request with current_setting (protocol.md 6.9). */
function requestSettings(raw: RawRequest): Record<string, string> {
  const { target } = raw
  const headers = Object.entries(raw.headers).filter(([name]) => !SECRET.has(name))
  return {
    'request.method': raw.method,
    'request.path': target.kind === 'routine' ? `/rpc/${target.name}` : `/${target.name}`,
    'request.headers': JSON.stringify(Object.fromEntries(headers)),
    'request.cookies': JSON.stringify(cookies(raw.headers.cookie)),
  }
}

const cookies = (header = ''): Record<string, string> =>
  Object.fromEntries(
    header
      .split(';')
      .map((pair) => pair.trim().split(/=(.*)/s))
      .filter(([name]) => name)
      .map(([name = '', value = '']) => [name, value]),
  )

/** Errors: 2201B, 54000. What visitors of the site search by are no regular expressions; members' are ended by the clock. */
function refuseCostly(patterns: readonly string[]): void {
  if (patterns.length > limits.visitorPatterns) throw restErrors.tooManyPatterns(limits.visitorPatterns)
  if (patterns.some(isCostlyPattern)) throw restErrors.costlyPattern()
}

const MAX_LENGTH = 200
/** How many repetitions all bounds such as `{2,40}` may ask for, multiplied: `(.{1,200}){1,200}` takes minutes. */
const MAX_REPETITIONS = 1000
/** How many alternatives a pattern may have: with repetition deps them, states multiply. */
const MAX_ALTERNATIVES = 20

/**
 * Whether a regular expression can hold a processor until the statement is ended. PostgreSQL's engine is linear except
 * for references back to a group, for looking ahead and behind, and for counted repetition, all measured; where a
 * doubled backslash makes it unclear, it is.
 */
export function isCostlyPattern(pattern: string): boolean {
  if (pattern.length > MAX_LENGTH || /\\[1-9]|\(\?<?[=!]/.test(pattern)) return true
  if (pattern.split('|').length > MAX_ALTERNATIVES) return true
  const counts = [...pattern.matchAll(/\{\s*(\d+)(?:\s*,\s*(\d+))?/g)].map(([, least, most]) =>
    Number(most ?? least),
  )
  return counts.reduce((product, count) => product * Math.max(count, 1), 1) > MAX_REPETITIONS
}

/** The regular expressions that rows are matched by; those of `match(any)` stand in one text, braces and all. */
function patternsIn(condition: Condition): string[] {
  if (condition.kind !== 'test') return condition.conditions.flatMap(patternsIn)
  const { predicate } = condition
  if (predicate.kind !== 'compare') return []
  if (predicate.operator !== 'match' && predicate.operator !== 'imatch') return []
  // An approximation from above: a comma inside an element counts too.
  return predicate.quantifier ? predicate.value.slice(1, -1).split(',') : [predicate.value]
}
