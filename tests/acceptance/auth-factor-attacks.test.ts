import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/database/port.ts'
import { type AuthServer, goodPassword, openAuth, signUpMember } from '#tests/support/auth.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { addApp, challengeOf, memberWithApp } from '#tests/support/second-factor.ts'

const _unknownId = '00000000-0000-4000-8000-00000000dead'

describe('attacks on second factors', () => {
  let db: Database
  let server: AuthServer
  beforeAll(async () => {
    db = await openTestDatabase()
    server = await openAuth(db)
  })
  afterAll(() => db.close())

  const reasonsOf = async (userId = '') => {
    const { rows } = await db.asOwner('test', (tx) =>
      tx.query<{ reason: string }>(
        `select payload -> 'traits' ->> 'reason' as reason from auth.audit_log_entries
         where payload ->> 'action' = 'verification_refused' and payload ->> 'actor_id' = $1 order by created_at`,
        [userId],
      ),
    )
    return rows.map(({ reason }) => reason)
  }

  it('an answered challenge is gone, and a code works once in whatever challenge', async () => {
    const { client, factorId, app, owner } = await memberWithApp(server)
    const challengeId = await challengeOf(client, factorId)
    const code = app.code()
    expect((await client.mfa.verify({ factorId, challengeId, code })).error).toBeNull()
    const replayed = await client.mfa.verify({ factorId, challengeId, code })
    expect(replayed.error).toMatchObject({ status: 422, code: 'mfa_factor_not_found' })
    const reused = await client.mfa.challengeAndVerify({ factorId, code })
    expect(reused.error).toMatchObject({ status: 422, code: 'mfa_verification_failed' })
    expect(await reasonsOf(owner.user?.id)).toEqual(['mfa_factor_not_found', 'mfa_verification_failed'])
  })

  it('an earlier code does not work after a later one', async () => {
    const { client, factorId, app } = await memberWithApp(server)
    server.advance(60)
    const [earlier, later] = [app.code(-1), app.code()]
    expect((await client.mfa.challengeAndVerify({ factorId, code: later })).error).toBeNull()
    expect((await client.mfa.challengeAndVerify({ factorId, code: earlier })).error?.code).toBe(
      'mfa_verification_failed',
    )
  })

  it('of two requests with one code and one challenge, one gets in', async () => {
    const { client, factorId, app } = await memberWithApp(server)
    const challengeId = await challengeOf(client, factorId)
    const session = (await client.getSession()).data.session
    const answers = await Promise.all(
      [1, 2, 3].map(() =>
        server.request(`/factors/${factorId}/verify`, {
          bearer: session?.access_token ?? '',
          json: { challenge_id: challengeId, code: app.code() },
        }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422])
  })

  it('a challenge ends after five minutes', async () => {
    const { client, factorId, app, owner } = await memberWithApp(server)
    const challengeId = await challengeOf(client, factorId)
    server.advance(301)
    const late = await client.mfa.verify({ factorId, challengeId, code: app.code() })
    expect(late.error).toMatchObject({ status: 422, code: 'mfa_challenge_expired' })
    expect(await reasonsOf(owner.user?.id)).toEqual(['mfa_challenge_expired'])
  })

  it('a challenge is answered in its own session and for its own factor only', async () => {
    const { client, factorId, app, owner } = await memberWithApp(server)
    const refusal = { status: 422, code: 'mfa_factor_not_found' }
    const ofOwner = await challengeOf(owner.client, factorId)
    const crossed = await client.mfa.verify({ factorId, challengeId: ofOwner, code: app.code() })
    expect(crossed.error).toMatchObject(refusal)
    const second = await addApp(server, owner.client, 'second')
    const forFirst = await challengeOf(owner.client, factorId)
    const wrongFactor = await owner.client.mfa.verify({
      factorId: second.factorId,
      challengeId: forFirst,
      code: second.app.code(),
    })
    expect(wrongFactor.error).toMatchObject(refusal)
  })

  it('somebody else’s factor is not there: not to ask, to answer or to remove', async () => {
    const victim = await memberWithApp(server)
    const thief = await memberWithApp(server)
    const { factorId } = victim
    const refusal = { status: 404, code: 'mfa_factor_not_found' }
    const challengeId = await challengeOf(victim.client, factorId)
    expect((await thief.owner.client.mfa.challenge({ factorId })).error).toMatchObject(refusal)
    const answered = await thief.owner.client.mfa.verify({ factorId, challengeId, code: victim.app.code() })
    expect(answered.error).toMatchObject(refusal)
    expect((await thief.owner.client.mfa.unenroll({ factorId })).error).toMatchObject(refusal)
    expect(await reasonsOf(thief.owner.user?.id)).toEqual(['mfa_factor_not_found'])
  })

  it('a factor that a thief began to add before the owner’s first one is of no use', async () => {
    const owner = await signUpMember(server)
    const thief = server.client()
    await thief.signInWithPassword({ email: owner.email, password: goodPassword })
    const planted = (await thief.mfa.enroll({ factorType: 'totp' })).data
    await addApp(server, owner.client)
    const again = server.client()
    await again.signInWithPassword({ email: owner.email, password: goodPassword })
    expect((await again.mfa.challenge({ factorId: planted?.id ?? '' })).error?.code).toBe(
      'mfa_factor_not_found',
    )
    expect((await again.mfa.listFactors()).data?.all).toHaveLength(1)
  })

  it('guesses are counted over all challenges; after fifteen the right code is refused too', async () => {
    const { client, factorId, app } = await memberWithApp(server)
    const attempt = async (code: string) =>
      (await client.mfa.challengeAndVerify({ factorId, code })).error?.code
    for (let i = 0; i < 15; i++) expect(await attempt('000000')).toBe('mfa_verification_failed')
    expect(await attempt(app.code())).toBe('over_request_rate_limit')
    server.advance(3601)
  })

  it('nothing about factors is open without a session, nor with the session’s end behind it', async () => {
    const { client, factorId } = await memberWithApp(server)
    const token = (await client.getSession()).data.session?.access_token ?? ''
    await client.signOut({ scope: 'local' })
    const paths = [
      '/factors',
      `/factors/${factorId}/challenge`,
      '/factors/recovery-codes',
      '/passkeys/registration/options',
    ]
    for (const path of paths) {
      expect((await server.request(path, { json: {} })).status).toBe(401)
      const ended = await server.request(path, { json: {}, bearer: token })
      expect([ended.status, ended.headers.get('x-sb-error-code')]).toEqual([403, 'session_not_found'])
    }
  })
})
