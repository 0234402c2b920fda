import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '#server/database/port.ts'
import { runTasks } from '#server/jobs/housekeeping.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { accountHousekeeping } from './housekeeping.ts'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

const log = pino({ level: 'silent' })
const user = '00000000-0000-4000-8000-000000000001'
const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

/** Of each kind one that is over, and one that is not. */
const planted = `
  insert into auth.users (id, email, created_at) values ('${user}', 'a@example.org', now());
  insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to, created_at) values
    ('${id(1)}', '${user}', 'recovery_token', 'old', 'a@example.org', now() - interval '31 days'),
    ('${id(2)}', '${user}', 'confirmation_token', 'new', 'a@example.org', now());
  insert into auth.flow_state (id, provider_type, authentication_method, created_at) values
    ('${id(1)}', 'email', 'otp', now() - interval '2 days'), ('${id(2)}', 'email', 'otp', now());
  insert into auth.sessions (id, user_id, created_at, not_after, refreshed_at) values
    ('${id(1)}', '${user}', now() - interval '9 days', now() - interval '1 minute', now()),
    ('${id(2)}', '${user}', now() - interval '9 days', now() + interval '1 day', now() - interval '1 hour'),
    ('${id(3)}', '${user}', now() - interval '9 days', null, now() - interval '3 hours'),
    ('${id(4)}', '${user}', now() - interval '9 days', null, null);
  insert into auth.refresh_tokens (token, session_id, revoked, updated_at) values
    ('spent', '${id(2)}', true, now() - interval '31 days'), ('just spent', '${id(2)}', true, now()),
    ('long unused', '${id(2)}', false, now() - interval '31 days');
  insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
    values ('${id(1)}', '${user}', 'totp', 'verified', now(), now());
  insert into auth.mfa_challenges (id, factor_id, created_at, ip_address) values
    ('${id(1)}', '${id(1)}', now() - interval '2 days', '::1'), ('${id(2)}', '${id(1)}', now(), '::1');
  insert into auth.webauthn_challenges (id, challenge_type, session_data, expires_at) values
    ('${id(1)}', 'authentication', '{}', now() - interval '1 minute'), ('${id(2)}', 'authentication', '{}', now() + interval '1 minute');
  insert into auth.audit_log_entries (id, payload, created_at) values
    ('${id(1)}', '{}', now() - interval '366 days'), ('${id(2)}', '{}', now() - interval '364 days');
  insert into platform.rate_limits (key, points, expire) values
    ('old', 1, extract(epoch from now() - interval '2 days') * 1000), ('new', 1, extract(epoch from now()) * 1000);
`

const left = (what: string, table: string) =>
  db.asOwner('test', async (tx) => {
    const { rows } = await tx.query<{ name: string }>(`select ${what}::text as name from ${table} order by 1`)
    return rows.map(({ name }) => name.replace(/^0+-0000-4000-8000-0+/, ''))
  })

it('removes what is over, and nothing else, however often it runs', async () => {
  await db.asOwner('test', (tx) => tx.script(planted))
  const tasks = accountHousekeeping(db, { inactivitySeconds: 7200 })
  for (const _time of [1, 2]) {
    expect(await runTasks(tasks, AbortSignal.timeout(30_000), log)).toEqual([])
    expect({
      tokens: await left('id', 'auth.one_time_tokens'),
      flows: await left('id', 'auth.flow_state'),
      sessions: await left('id', 'auth.sessions'),
      refreshTokens: await left('token', 'auth.refresh_tokens'),
      challenges: await left('id', 'auth.mfa_challenges'),
      passkeys: await left('id', 'auth.webauthn_challenges'),
      audit: await left('id', 'auth.audit_log_entries'),
      limits: await left('key', 'platform.rate_limits'),
    }).toEqual({
      tokens: ['2'],
      flows: ['2'],
      sessions: ['2'],
      refreshTokens: ['just spent', 'long unused'],
      challenges: ['2'],
      passkeys: ['2'],
      audit: ['2'],
      limits: ['new'],
    })
  }
})

it('lets sessions live for ever where no limit is set', async () => {
  await db.asOwner('test', (tx) =>
    tx.query(
      `insert into auth.sessions (id, user_id, created_at) values ($1, $2, now() - interval '3 years')`,
      [id(9), user],
    ),
  )
  await runTasks(accountHousekeeping(db, { inactivitySeconds: undefined }), AbortSignal.timeout(30_000), log)
  expect(await left('id', 'auth.sessions')).toContain('9')
})

it('goes on with the others when one task fails, and says which', async () => {
  const done: string[] = []
  const task = (name: string, fails = false) => ({
    name,
    run: async () => {
      if (fails) throw new Error('no')
      return done.push(name)
    },
  })
  const failed = await runTasks([task('a'), task('b', true), task('c')], AbortSignal.timeout(1000), log)
  expect([done, failed]).toEqual([['a', 'c'], ['b']])
})
