import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeProductSettings } from '#server/backend/embedded.ts'
import type { Database } from '#server/database/port.ts'
import type { Caller } from '#server/tokens/caller.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { attempt, ids, type Outcome, openWorld, outcomeOf } from './world.ts'

const add = "insert into public.resources (title, description, category) values ('t', 'd', 'reading')"
const addPicture = "insert into storage.objects (bucket_id, name) values ('images', 'resource-images/b.webp')"
const readAll = `select from public.users where id = '${ids.member}'`

const at = (sub: string, claims: Caller['claims'] = {}): Caller => ({
  role: 'authenticated',
  claims: { role: 'authenticated', sub, ...claims },
})

type Setting = 'off' | 'enrolled' | 'always'
type Case = [setting: Setting, who: string, caller: Caller, outcome: Outcome, access: string]

/** The admin with a verified factor is `ids.admin`; the one without is `ids.other`, promoted below. */
const cases: Case[] = [
  ['off', 'an admin with a factor, by password', at(ids.admin, { aal: 'aal1' }), 'allowed', 'open'],
  ['enrolled', 'an admin with a factor, by password', at(ids.admin, { aal: 'aal1' }), 'refused', 'verify'],
  ['enrolled', 'an admin with a factor, whose token names no level', at(ids.admin), 'refused', 'verify'],
  [
    'enrolled',
    'an admin with a factor, who makes a level up',
    at(ids.admin, { aal: 'AAL2' }),
    'refused',
    'verify',
  ],
  ['enrolled', 'an admin with a factor, by both', at(ids.admin, { aal: 'aal2' }), 'allowed', 'open'],
  ['enrolled', 'an admin without a factor, by password', at(ids.other, { aal: 'aal1' }), 'allowed', 'open'],
  ['always', 'an admin without a factor, by password', at(ids.other, { aal: 'aal1' }), 'refused', 'enrol'],
  ['always', 'an admin with a factor, by password', at(ids.admin, { aal: 'aal1' }), 'refused', 'verify'],
  ['always', 'an admin with a factor, by both', at(ids.admin, { aal: 'aal2' }), 'allowed', 'open'],
  ['off', 'a member at aal2', at(ids.member, { aal: 'aal2' }), 'refused', 'none'],
  ['always', 'a member at aal2', at(ids.member, { aal: 'aal2' }), 'refused', 'none'],
]

describe('what an admin must have proved', () => {
  let db: Database
  beforeAll(async () => {
    db = await openWorld(openTestDatabase)
    await db.asOwner('test', (tx) =>
      tx.script(`
        update public.users set role = 'admin' where id = '${ids.other}';
        insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at) values
          ('00000000-0000-4000-8000-0000000000f1', '${ids.admin}', 'totp', 'verified', now(), now()),
          ('00000000-0000-4000-8000-0000000000f2', '${ids.other}', 'totp', 'unverified', now(), now());`),
    )
  })
  afterAll(() => db.close())

  it('is a second factor, once there is one, until the owner says otherwise', async () => {
    expect(await outcomeOf(db, at(ids.admin, { aal: 'aal1' }), add)).toBe('refused')
    expect(await outcomeOf(db, at(ids.other, { aal: 'aal1' }), add)).toBe('allowed')
  })

  it.each(cases)('%s: %s', async (setting, _who, caller, outcome, access) => {
    await writeProductSettings(db, { requireMfa: setting })
    expect(await outcomeOf(db, caller, add)).toBe(outcome)
    expect(await outcomeOf(db, caller, addPicture)).toBe(outcome)
    const told = await attempt(db, caller, (tx) => tx.query('select public.admin_access() as access'))
    expect(told).toMatchObject({ result: { rows: [{ access }] } })
  })

  it('holds for reading other profiles too', async () => {
    await writeProductSettings(db, { requireMfa: 'enrolled' })
    expect(await outcomeOf(db, at(ids.admin, { aal: 'aal1' }), readAll)).toBe('hidden')
    expect(await outcomeOf(db, at(ids.admin, { aal: 'aal2' }), readAll)).toBe('allowed')
  })

  it.each(['visitor', 'member', 'admin'] as const)(
    'the setting is not for a %s to see or change',
    async (who) => {
      expect(await outcomeOf(db, who, 'select * from private.settings')).toBe('refused')
      expect(await outcomeOf(db, who, "update private.settings set value = 'off'")).toBe('refused')
    },
  )

  it('no word but the three is a setting', async () => {
    const wrong = db.asOwner('test', (tx) => tx.query("update private.settings set value = 'never'"))
    await expect(wrong).rejects.toMatchObject({ code: '23514' })
  })

  it('a stolen password does not carry off all that is held about an account with a second factor', async () => {
    const taking = 'select public.export_account()'
    const refused = await attempt(db, at(ids.admin, { aal: 'aal1' }), (tx) => tx.query(taking))
    expect(refused).toMatchObject({ error: { code: '42501', hint: 'insufficient_aal' } })
    expect(await outcomeOf(db, at(ids.admin, { aal: 'aal2' }), taking)).toBe('allowed')
    expect(await outcomeOf(db, at(ids.member, { aal: 'aal1' }), taking)).toBe('allowed')
  })

  it('a stolen password does not delete an account with a second factor', async () => {
    await writeProductSettings(db, { requireMfa: 'off' })
    const amr = [{ method: 'password', timestamp: Math.floor(Date.now() / 1000) }]
    const deletion = 'select public.delete_account()'
    expect(await outcomeOf(db, at(ids.admin, { aal: 'aal1', amr }), deletion)).toBe('refused')
    expect(await outcomeOf(db, at(ids.admin, { aal: 'aal2', amr }), deletion)).toBe('allowed')
    expect(await outcomeOf(db, at(ids.member, { aal: 'aal1', amr }), deletion)).toBe('allowed')
  })
})
