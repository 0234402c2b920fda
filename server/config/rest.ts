import { z } from 'zod'
import { boolean, listOf, wholeNumber } from './fields.ts'

/**
 * Schemas that must never be exposed. PostgreSQL's own hold functions such as set_config, with which a caller could
 * leave the role that policies judge by; the others hold what policies and accounts rely on.
 */
const EXPOSABLE =
  /^(?!(pg_.*|information_schema|auth|private|platform|extensions|supabase_migrations)$)[a-z_][a-z0-9_]*$/

/** What /rest/v1 shows of the database. */
export const restVariables = {
  REST_SCHEMAS: listOf(
    EXPOSABLE,
    'must name schemas of your own in lower case; those of the system are never exposed',
  ).default(['public']),
  REST_MAX_ROWS: wholeNumber({ from: 1 }).default(1000),
  REST_AGGREGATES: boolean.default(false),
  REST_PLANS: boolean.default(false),
}

const RestEnvironment = z.object(restVariables)
type RestEnvironment = z.infer<typeof RestEnvironment>

export const restConfig = (env: RestEnvironment) => ({
  schemas: env.REST_SCHEMAS,
  maxRows: env.REST_MAX_ROWS,
  aggregates: env.REST_AGGREGATES,
  plans: env.REST_PLANS,
})
