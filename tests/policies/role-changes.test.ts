import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '#server/database/port.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { ids, openWorld, outcomeOf } from './world.ts'

let db: Database
beforeAll(async () => {
  db = await openWorld(openTestDatabase)
})
afterAll(() => db.close())

const entries = async () =>
  (
    await db.asOwner('test', (tx) =>
      tx.query<{ payload: unknown }>(
        `select payload from auth.audit_log_entries
         where payload -> 'traits' ->> 'changed' = 'role' and payload -> 'traits' ->> 'user_id' = $1`,
        [ids.member],
      ),
    )
  ).rows

it('who becomes an admin is written into the audit log, and nothing is where nothing changes', async () => {
  const setRole = (role: string) =>
    db.asOwner('test', (tx) =>
      tx.query('update public.users set role = $2 where id = $1', [ids.member, role]),
    )
  await setRole('member')
  expect(await entries()).toEqual([])
  await setRole('admin')
  expect(await entries()).toMatchObject([
    {
      payload: {
        action: 'user_modified',
        actor_username: 'service_role',
        traits: { user_id: ids.member, before: 'member', after: 'admin' },
      },
    },
  ])
})

it('the log is nobody’s to read or to write but the service’s', async () => {
  for (const who of ['visitor', 'member', 'admin'] as const) {
    expect(await outcomeOf(db, who, 'select from auth.audit_log_entries')).toBe('refused')
    expect(await outcomeOf(db, who, 'delete from auth.audit_log_entries')).toBe('refused')
  }
})
