import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/database/port.ts'
import type { Caller } from '#server/tokens/caller.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { attempt, ids, openWorld, outcomeOf } from './world.ts'

const session = (n: number) => `00000000-0000-4000-8000-0000000000b${n}`
const member: Caller = {
  role: 'authenticated',
  claims: { role: 'authenticated', sub: ids.member, session_id: session(1), email: 'member@example.org' },
}
const sessions = `
  insert into auth.sessions (id, user_id, created_at, refreshed_at, not_after, aal, user_agent, ip) values
    ('${session(1)}', '${ids.member}', '2026-01-01T00:00:00Z', '2026-01-05T00:00:00Z', null, 'aal2', 'Firefox', '203.0.113.77'),
    ('${session(2)}', '${ids.member}', '2026-01-02T00:00:00Z', null, null, 'aal1', 'Safari', '2001:db8:12:34::1'),
    ('${session(3)}', '${ids.member}', '2026-01-03T00:00:00Z', null, null, 'aal1', null, null),
    ('${session(4)}', '${ids.member}', '2026-01-01T00:00:00Z', null, '2026-01-02T00:00:00Z', 'aal1', 'Over', null),
    ('${session(5)}', '${ids.other}', '2026-01-01T00:00:00Z', null, null, 'aal1', 'Not mine', '192.0.2.1');
  insert into auth.refresh_tokens (token, user_id, session_id) values ('two', '${ids.member}', '${session(2)}');
`

describe('the own sessions', () => {
  let db: Database
  beforeAll(async () => {
    db = await openWorld(openTestDatabase)
    await db.asOwner('test', (tx) => tx.script(sessions))
  })
  afterAll(() => db.close())

  const listedBy = (who: Caller | 'member') =>
    attempt(db, who, async (tx) => (await tx.query('select * from public.own_sessions()')).rows)
  const ended = (id: string) => `select where public.end_own_session('${id}')`

  it('are listed with device, range of the address, level and times, the current one first', async () => {
    expect(await listedBy(member)).toEqual({
      result: [
        {
          id: session(1),
          created_at: '2026-01-01 00:00:00+00',
          refreshed_at: '2026-01-05 00:00:00+00',
          user_agent: 'Firefox',
          address_range: '203.0.113.x',
          aal: 'aal2',
          current: true,
        },
        expect.objectContaining({ id: session(3), user_agent: null, address_range: null, current: false }),
        expect.objectContaining({ id: session(2), address_range: '2001:db8:12::/48', refreshed_at: null }),
      ],
    })
  })

  it('are never told to visitors, nor with a whole address', async () => {
    expect(await outcomeOf(db, 'visitor', 'select * from public.own_sessions()')).toBe('refused')
    expect(await outcomeOf(db, 'visitor', ended(session(1)))).toBe('refused')
    const text = JSON.stringify(await listedBy(member))
    for (const secret of ['203.0.113.77', '2001:db8:12:34', '192.0.2.1', 'Not mine', 'Over'])
      expect(text).not.toContain(secret)
  })

  it('of somebody else cannot be ended', async () => {
    expect(await outcomeOf(db, member, ended(session(5)))).toBe('hidden')
    expect(await outcomeOf(db, member, ended(ids.nobody))).toBe('hidden')
    expect(await outcomeOf(db, { role: 'authenticated', claims: {} }, ended(session(5)))).toBe('hidden')
  })

  it('are ended one by one, with their refresh tokens and an entry in the audit log', async () => {
    const found = await db.asCaller(member, (tx) => tx.query(ended(session(2))))
    expect(found.affected).toBe(1)
    const left = async (sql: string) => (await db.asOwner('test', (tx) => tx.query(sql))).rows
    expect(await left(`select id from auth.sessions where user_id = '${ids.member}' order by id`)).toEqual(
      [1, 3, 4].map((n) => ({ id: session(n) })),
    )
    expect(await left('select from auth.refresh_tokens')).toEqual([])
    expect(
      await left("select payload from auth.audit_log_entries where payload ->> 'action' = 'logout'"),
    ).toEqual([
      {
        payload: {
          action: 'logout',
          actor_id: ids.member,
          actor_username: 'member@example.org',
          actor_via_sso: false,
          log_type: 'account',
          traits: { scope: 'one' },
        },
      },
    ])
    expect((await db.asCaller(member, (tx) => tx.query(ended(session(2))))).affected).toBe(0)
  })

  it("works over Supabase's own table, whose refreshed_at has no time zone", async () => {
    await db.asOwner('test', (tx) =>
      tx.script(
        "alter table auth.sessions alter column refreshed_at type timestamp using refreshed_at at time zone 'utc'",
      ),
    )
    expect(await listedBy(member)).toMatchObject({
      result: [{ id: session(1), refreshed_at: '2026-01-05 00:00:00+00' }, { id: session(3) }],
    })
  })
})
