import { LRUCache } from 'lru-cache'
import { patternsOf } from './plan/patterns.ts'
import { planRequest } from './plan/plan.ts'
import type { Plan } from './plan/types.ts'
import { parseRequest, type RawRequest } from './request/parse.ts'
import type { RestRequest } from './request/types.ts'
import type { Catalogue } from './schema.ts'
import type { RestSettings } from './settings.ts'
import { sessionSql } from './sql/session.ts'
import { type Statements, toSql } from './sql/to-sql.ts'

/** A request after the pure stages: understood, planned and written as SQL. */
interface Prepared {
  request: RestRequest
  plan: Plan
  statements: Statements
  /** The regular expressions that rows are matched by. */
  patterns: readonly string[]
}

export type Prepare = (raw: RawRequest, catalogue: Catalogue) => Prepared

/** Listings are asked for again and again in the same words. */
const REMEMBERED_READS = 500
const LONGEST_KEY = 2000

/**
 * Request → plan → SQL. Nothing but the request and the catalogue decides over the outcome, so that reads are
 * remembered until the catalogue changes; what they find is not. Errors: RestError.
 */
export function createPrepare(settings: RestSettings): Prepare {
  const reads = new LRUCache<string, Prepared>({ max: REMEMBERED_READS })
  let readsOf: Catalogue | undefined
  return (raw, catalogue) => {
    const key = keyOf(raw)
    if (key === undefined) return prepare(raw, catalogue, settings)
    if (catalogue !== readsOf) {
      reads.clear()
      readsOf = catalogue
    }
    const prepared = reads.get(key) ?? prepare(raw, catalogue, settings)
    reads.set(key, prepared)
    return prepared
  }
}

function prepare(raw: RawRequest, catalogue: Catalogue, settings: RestSettings): Prepared {
  const request = parseRequest(raw, settings.schemas)
  const plan = planRequest(request, catalogue, settings)
  const statements = { ...toSql(plan, settings.maxRows), ...sessionSql(request) }
  return { request, plan, statements, patterns: patternsOf(plan) }
}

/** All that the pure stages look at; undefined for what is not worth remembering. */
function keyOf({ method, target, search, headers }: RawRequest): string | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined
  const { accept, prefer, range, 'accept-profile': profile } = headers
  const key = JSON.stringify([method, target.kind, target.name, search, accept, prefer, range, profile])
  return key.length <= LONGEST_KEY ? key : undefined
}
