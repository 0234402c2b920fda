import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/database/port.ts'
import type { Caller } from '#server/tokens/caller.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { attempt, ids, openWorld, outcomeOf } from './world.ts'

const now = () => Math.floor(Date.now() / 1000)
/** The member with a token that names these proofs. */
const memberWith = (...amr: { method: string; timestamp: number }[]): Caller => ({
  role: 'authenticated',
  claims: { role: 'authenticated', sub: ids.member, amr },
})
const deletion = 'select public.delete_account()'
const holdings = `
  insert into auth.identities (provider_id, user_id, identity_data, provider)
    values ('${ids.member}', '${ids.member}', '{"email": "member@example.org"}', 'email');
  insert into auth.sessions (id, user_id, user_agent, ip) values
    ('00000000-0000-4000-8000-0000000000a1', '${ids.member}', 'Firefox', '192.0.2.1'),
    ('00000000-0000-4000-8000-0000000000a2', '${ids.other}', 'Safari', '192.0.2.2');
  insert into auth.refresh_tokens (token, user_id, session_id)
    values ('a digest', '${ids.member}', '00000000-0000-4000-8000-0000000000a1');
  update auth.users set encrypted_password = 'a hash' where id = '${ids.member}';
  update public.users set "savedResources" = array['${ids.open}'::uuid] where id = '${ids.member}';
`

describe('the own account', () => {
  let db: Database
  beforeAll(async () => {
    db = await openWorld(openTestDatabase)
    await db.asOwner('test', (tx) => tx.script(holdings))
  })
  afterAll(() => db.close())

  it('is exported with everything that is held about its member, and without what opens it', async () => {
    const answer = await attempt(db, 'member', async (tx) => {
      const { rows } = await tx.query<{ all: Record<string, unknown> }>(
        'select public.export_account() as all',
      )
      return rows[0]?.all
    })
    if ('error' in answer) throw answer.error
    expect(answer.result).toMatchObject({
      account: { id: ids.member, email: 'member@example.org' },
      profile: { id: ids.member, role: 'member', savedResources: [ids.open] },
      savedResources: [{ id: ids.open, title: 'Open' }],
      identities: [{ provider: 'email' }],
      sessions: [{ user_agent: 'Firefox', ip: '192.0.2.1' }],
    })
    const text = JSON.stringify(answer.result)
    for (const secret of ['a hash', 'a digest', 'Safari', 'other@example.org'])
      expect(text).not.toContain(secret)
  })

  it.each([
    ['a visitor', 'visitor' as const],
    ['a member whose token proves nothing', memberWith()],
    ['a member who signed in six minutes ago', memberWith({ method: 'password', timestamp: now() - 360 })],
    ['a member who only renewed a session', memberWith({ method: 'token_refresh', timestamp: now() })],
  ])('%s may not delete it', async (_who, caller) => {
    expect(await outcomeOf(db, caller, deletion)).toBe('refused')
  })

  it('a member who has just signed in deletes it, with all that belongs to it and nothing else', async () => {
    await db.asCaller(memberWith({ method: 'password', timestamp: now() - 10 }), (tx) => tx.query(deletion))
    const count = async (query: string) =>
      (
        await db.asOwner('test', (tx) =>
          tx.query<{ left: number }>(`select count(*)::int as left from ${query}`),
        )
      ).rows[0]?.left
    expect(await count(`auth.users where id = '${ids.member}'`)).toBe(0)
    expect(await count(`public.users where id = '${ids.member}'`)).toBe(0)
    expect(await count(`auth.identities where user_id = '${ids.member}'`)).toBe(0)
    expect(await count(`auth.sessions where user_id = '${ids.member}'`)).toBe(0)
    expect(await count('auth.refresh_tokens')).toBe(0)
    expect(await count('auth.users')).toBe(3)
    expect(await count(`auth.sessions where user_id = '${ids.other}'`)).toBe(1)
  })
})
