import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/database/port.ts'
import { type AuthServer, goodPassword, openAuth, signUpMember } from '#tests/support/auth.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { addApp } from '#tests/support/second-factor.ts'

describe('recovery codes', () => {
  let db: Database
  let server: AuthServer
  beforeAll(async () => {
    db = await openTestDatabase()
    server = await openAuth(db)
  })
  afterAll(() => db.close())

  /** Somebody with an app and ten codes, and a session by password alone. */
  const newOwner = async () => {
    const owner = await signUpMember(server)
    const app = await addApp(server, owner.client)
    const { data, error } = await owner.client.mfa.recoveryCodes.generate()
    if (error) throw error
    const later = server.client()
    await later.signInWithPassword({ email: owner.email, password: goodPassword })
    return { ...owner, ...app, codes: data.codes, set: data, later }
  }

  it('are ten, all different, and kept as digests only', async () => {
    const { codes, set, client, user } = await newOwner()
    expect(set).toEqual({
      id: expect.any(String),
      type: 'recovery_code',
      friendly_name: 'Recovery codes',
      total: 10,
      codes: Array(10).fill(expect.stringMatching(/^[2-9a-hjkmnp-z]{16}$/)),
    })
    expect(new Set(codes).size).toBe(10)
    const everything = await db.asOwner('test', (tx) =>
      tx.query(
        `select (select jsonb_agg(to_jsonb(c)) from auth.mfa_recovery_codes c) as codes,
          (select jsonb_agg(payload) from auth.audit_log_entries) as entries`,
      ),
    )
    const text = JSON.stringify(everything.rows)
    for (const code of codes) expect(text).not.toContain(code)
    expect((await client.mfa.recoveryCodes.getStatus()).data).toEqual({
      id: set.id,
      type: 'recovery_code',
      total: 10,
      remaining: 10,
    })
    expect((await client.mfa.listFactors()).data?.recovery_code).toMatchObject([{ id: set.id }])
    expect(user?.id).toBeDefined()
  })

  it('lift a session as a second factor does, each of them once', async () => {
    const { codes, later, client } = await newOwner()
    const [code = ''] = codes
    const { data, error } = await later.mfa.recoveryCodes.verify({ code })
    expect(error).toBeNull()
    expect(decodeJwt(data?.access_token ?? '')).toMatchObject({
      aal: 'aal2',
      amr: [{ method: 'mfa/recovery_code' }, { method: 'password' }],
    })
    expect((await later.mfa.recoveryCodes.verify({ code })).error).toMatchObject({
      status: 422,
      code: 'mfa_verification_failed',
    })
    expect((await client.mfa.recoveryCodes.getStatus()).data?.remaining).toBe(9)
  })

  it('may be typed with capitals, dashes and blanks', async () => {
    const { codes, later } = await newOwner()
    const typed = ` ${codes[0]?.toUpperCase().replace(/(.{4})(?=.)/g, '$1-')} `
    expect((await later.mfa.recoveryCodes.verify({ code: typed })).error).toBeNull()
  })

  it('of which two requests present the same at once let one in', async () => {
    const { codes, later, email } = await newOwner()
    const twin = server.client()
    await twin.signInWithPassword({ email, password: goodPassword })
    const [code = ''] = codes
    const outcomes = await Promise.all(
      [later, twin].map(async (client) => (await client.mfa.recoveryCodes.verify({ code })).error === null),
    )
    expect(outcomes.filter(Boolean)).toHaveLength(1)
  })

  it('in two sessions at once lift one of them, which ends the other', async () => {
    const { codes, later, email } = await newOwner()
    const twin = server.client()
    await twin.signInWithPassword({ email, password: goodPassword })
    const answers = await Promise.all(
      [later, twin].map((client, i) => client.mfa.recoveryCodes.verify({ code: codes[i] ?? '' })),
    )
    const [ended] = answers.map(({ error }) => error).filter((error) => error !== null)
    expect(answers.filter(({ error }) => error === null)).toHaveLength(1)
    expect(ended?.name).toBe('AuthSessionMissingError')
  })

  it('let somebody who has lost the phone take it off the account', async () => {
    const { codes, later, factorId } = await newOwner()
    await later.mfa.recoveryCodes.verify({ code: codes[3] ?? '' })
    expect((await later.mfa.unenroll({ factorId })).error).toBeNull()
    // Codes are never the only factor: they went with it.
    expect((await later.mfa.listFactors()).data?.all).toEqual([])
    const { data } = await later.refreshSession()
    expect(decodeJwt(data.session?.access_token ?? '')).toMatchObject({ aal: 'aal1' })
  })

  it('are made anew as a whole: none of the old set works', async () => {
    const { client, codes, set, later } = await newOwner()
    const { data } = await client.mfa.recoveryCodes.regenerate()
    expect(data).toMatchObject({ id: set.id, total: 10 })
    expect(data?.codes).not.toEqual(expect.arrayContaining([codes[0]]))
    expect((await later.mfa.recoveryCodes.verify({ code: codes[0] ?? '' })).error?.code).toBe(
      'mfa_verification_failed',
    )
    expect((await later.mfa.recoveryCodes.verify({ code: data?.codes[0] ?? '' })).error).toBeNull()
  })

  it('are given up by their owner, who keeps the other factor', async () => {
    const { client, set, factorId } = await newOwner()
    expect((await client.mfa.recoveryCodes.unenroll()).data).toEqual({ id: set.id })
    expect((await client.mfa.listFactors()).data?.all).toMatchObject([{ id: factorId }])
    const gone = { status: 404, code: 'mfa_factor_not_found' }
    expect((await client.mfa.recoveryCodes.getStatus()).error).toMatchObject(gone)
    expect((await client.mfa.recoveryCodes.verify({ code: 'x' })).error).toMatchObject(gone)
    expect((await client.mfa.recoveryCodes.regenerate()).error).toMatchObject(gone)
  })

  it('need a second factor beside them, and a session that has given it', async () => {
    const { client } = await signUpMember(server)
    expect((await client.mfa.recoveryCodes.generate()).error).toMatchObject({
      status: 422,
      code: 'mfa_recovery_codes_sole_factor',
    })
    const { later, client: owner } = await newOwner()
    const refusal = { status: 403, code: 'insufficient_aal' }
    expect((await later.mfa.recoveryCodes.generate()).error).toMatchObject(refusal)
    expect((await later.mfa.recoveryCodes.regenerate()).error).toMatchObject(refusal)
    expect((await later.mfa.recoveryCodes.unenroll()).error).toMatchObject(refusal)
    expect((await owner.mfa.recoveryCodes.generate()).error).toMatchObject({
      status: 422,
      code: 'mfa_verified_factor_exists',
    })
  })

  it('cannot be guessed: after fifteen the door is locked, for the right one too', async () => {
    const { codes, later, user } = await newOwner()
    const attempt = async (code: string) => (await later.mfa.recoveryCodes.verify({ code })).error
    for (let i = 0; i < 15; i++) expect((await attempt(`wrong-${i}`))?.code).toBe('mfa_verification_failed')
    expect(await attempt(codes[0] ?? '')).toMatchObject({ status: 429, code: 'mfa_recovery_codes_locked' })
    const { rows } = await db.asOwner('test', (tx) =>
      tx.query(
        `select payload -> 'traits' ->> 'reason' as reason, count(*) from auth.audit_log_entries
         where payload ->> 'actor_id' = $1 and payload ->> 'action' = 'verification_refused' group by 1 order by 1`,
        [user?.id ?? ''],
      ),
    )
    expect(rows).toEqual([
      { reason: 'mfa_recovery_codes_locked', count: 1 },
      { reason: 'mfa_verification_failed', count: 15 },
    ])
  })

  it('of somebody else open nothing', async () => {
    const [one, other] = [await newOwner(), await newOwner()]
    expect((await one.later.mfa.recoveryCodes.verify({ code: other.codes[0] ?? '' })).error?.code).toBe(
      'mfa_verification_failed',
    )
    expect((await other.later.mfa.recoveryCodes.verify({ code: other.codes[0] ?? '' })).error).toBeNull()
  })
})
