import type { Database, Value } from '#server/database/port.ts'
import type { HousekeepingTask } from '#server/jobs/housekeeping.ts'
import type { SessionLimits } from './context.ts'

/** A mail that could not be sent may be tried again for this long, and takes its token along. */
const TOKENS = "interval '30 days'"
/** A stolen refresh token that is used after this is refused, but no longer ends its session. */
const SPENT_REFRESH_TOKENS = "interval '30 days'"

/**
 * What becomes old in schema auth. Nothing of it works any more when it is removed: the checks where it is used do not
 * wait for this.
 */
export function accountHousekeeping(
  db: Database,
  { inactivitySeconds = null }: { inactivitySeconds: SessionLimits['inactivitySeconds'] | null },
): HousekeepingTask[] {
  const task = (name: string, sql: string, values: Value[] = []): HousekeepingTask => ({
    name,
    run: () => db.asOwner(`remove ${name}`, async (tx) => (await tx.query(sql, values)).affected),
  })
  return [
    task('expired one-time tokens', `delete from auth.one_time_tokens where created_at < now() - ${TOKENS}`),
    task('begun flows', `delete from auth.flow_state where created_at < now() - interval '1 day'`),
    task(
      'challenges of factors',
      `delete from auth.mfa_challenges where created_at < now() - interval '1 day'`,
    ),
    task('challenges of passkeys', 'delete from auth.webauthn_challenges where expires_at < now()'),
    task(
      'ended sessions',
      `delete from auth.sessions where not_after < now()
         or coalesce(refreshed_at, created_at) < now() - make_interval(secs => $1::float8)`,
      [inactivitySeconds],
    ),
    task(
      'spent refresh tokens',
      `delete from auth.refresh_tokens where revoked and updated_at < now() - ${SPENT_REFRESH_TOKENS}`,
    ),
    task(
      'audit log older than a year',
      `delete from auth.audit_log_entries where created_at < now() - interval '1 year'`,
    ),
    task(
      'rate limits',
      `delete from platform.rate_limits where expire < extract(epoch from now() - interval '1 day') * 1000`,
    ),
  ]
}
