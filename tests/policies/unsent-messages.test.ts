import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/database/port.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { attempt, cases, type Line, openWorld, outcomeOf, type Who } from './world.ts'

const [givenUp, waiting, unharmed] = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}`)
const messages = `
  select pgboss.create_queue(queue, '{"policy":"standard"}'::jsonb) from unnest(array['email', 'sms', 'other']) as queue;
  insert into pgboss.job (id, name, data, state, retry_count, retry_limit, completed_on, output) values
    ('${givenUp}', 'email', '{"to":"a@example.org","kind":"recovery","tokenId":"t"}', 'failed', 4, 4, now(), '{"message":"550 no such mailbox"}'),
    ('${waiting}', 'sms', '{"phone":"491"}', 'retry', 1, 8, null, '{"message":"The provider is away"}'),
    ('${unharmed}', 'email', '{"to":"b@example.org","kind":"confirm"}', 'created', 0, 4, null, null);
  insert into pgboss.job (name, data, state, output) values ('other', '{}', 'failed', '{"message":"no message"}');
`

const columns: Who[] = ['visitor', 'member', 'admin', 'service']
const table: Line[] = [
  ['select * from public.unsent_messages()', 'refused', 'refused', 'allowed', 'refused'],
  [`select public.retry_message('${givenUp}')`, 'refused', 'refused', 'allowed', 'refused'],
  ['select * from pgboss.job', 'refused', 'refused', 'refused', 'refused'],
]

describe('messages that could not be sent', () => {
  let db: Database
  beforeAll(async () => {
    db = await openWorld(openTestDatabase)
    await db.asOwner('test', (tx) => tx.script(messages))
  })
  afterAll(() => db.close())

  it.each(cases(columns, table))('%s may %s: %s', async (who, operation, outcome) => {
    expect(await outcomeOf(db, who, operation)).toBe(outcome)
  })

  it('are told with their reason, and with nothing that was in them', async () => {
    const found = await attempt(
      db,
      'admin',
      async (tx) => (await tx.query('select * from public.unsent_messages()')).rows,
    )
    const written = { written_at: expect.any(String) }
    expect(found).toEqual({
      result: [
        {
          id: givenUp,
          channel: 'email',
          recipient: 'a@example.org',
          kind: 'recovery',
          reason: '550 no such mailbox',
          given_up: true,
          attempts: 5,
          ...written,
        },
        {
          id: waiting,
          channel: 'sms',
          recipient: '+491',
          kind: null,
          reason: 'The provider is away',
          given_up: false,
          attempts: 2,
          ...written,
        },
      ],
    })
  })

  it.each([
    ['that were given up are due again', givenUp, undefined],
    ['that wait already are left alone', waiting, 'PT404'],
    ['that are not there are told so', '00000000-0000-4000-8000-000000000009', 'PT404'],
  ])('%s', async (_name, id, code) => {
    const result = await attempt(db, 'admin', async (tx) => {
      await tx.query('select public.retry_message($1)', [id ?? ''])
      const { rows } = await tx.query('select given_up from public.unsent_messages() where id = $1', [
        id ?? '',
      ])
      return rows
    })
    expect(result).toMatchObject(code ? { error: { code } } : { result: [{ given_up: false }] })
  })
})
