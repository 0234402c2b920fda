import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/database/port.ts'
import { type AuthServer, goodPassword, openAuth, signUpMember, siteUrl } from '#tests/support/auth.ts'
import { databases } from '#tests/support/databases.ts'
import { addApp } from '#tests/support/second-factor.ts'
import { SoftAuthenticator } from '#tests/support/soft-authenticator.ts'

const unknownId = '00000000-0000-4000-8000-00000000dead'
const long = 'x'.repeat(300)

describe.each(databases)('attacks on second factors on %s', (_name, open) => {
  let db: Database
  let server: AuthServer
  beforeAll(async () => {
    db = await open()
    server = await openAuth(db)
  })
  afterAll(() => db.close())

  /** Somebody with an app, and another session of theirs by password alone. */
  const newVictim = async () => {
    const owner = await signUpMember(server)
    const app = await addApp(server, owner.client)
    const client = server.client()
    await client.signInWithPassword({ email: owner.email, password: goodPassword })
    return { owner, ...app, client }
  }

  const challengeOf = async (
    client: AuthServer['client'] extends () => infer C ? C : never,
    factorId: string,
  ) => (await client.mfa.challenge({ factorId })).data?.id ?? ''

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
    const { client, factorId, app, owner } = await newVictim()
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
    const { client, factorId, app } = await newVictim()
    server.advance(60)
    const [earlier, later] = [app.code(-1), app.code()]
    expect((await client.mfa.challengeAndVerify({ factorId, code: later })).error).toBeNull()
    expect((await client.mfa.challengeAndVerify({ factorId, code: earlier })).error?.code).toBe(
      'mfa_verification_failed',
    )
  })

  it('of two requests with one code and one challenge, one gets in', async () => {
    const { client, factorId, app } = await newVictim()
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
    const { client, factorId, app, owner } = await newVictim()
    const challengeId = await challengeOf(client, factorId)
    server.advance(301)
    const late = await client.mfa.verify({ factorId, challengeId, code: app.code() })
    expect(late.error).toMatchObject({ status: 422, code: 'mfa_challenge_expired' })
    expect(await reasonsOf(owner.user?.id)).toEqual(['mfa_challenge_expired'])
  })

  it('a challenge is answered in its own session and for its own factor only', async () => {
    const { client, factorId, app, owner } = await newVictim()
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
    const victim = await newVictim()
    const thief = await newVictim()
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
    const { client, factorId, app } = await newVictim()
    const attempt = async (code: string) =>
      (await client.mfa.challengeAndVerify({ factorId, code })).error?.code
    for (let i = 0; i < 15; i++) expect(await attempt('000000')).toBe('mfa_verification_failed')
    expect(await attempt(app.code())).toBe('over_request_rate_limit')
    server.advance(3601)
  })

  it('nothing about factors is open without a session, nor with the session’s end behind it', async () => {
    const { client, factorId } = await newVictim()
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

  describe('bad input', () => {
    type Case = readonly [what: string, path: string, body: unknown, status: number, code: string]
    const challenge_id = unknownId
    const bad: Case[] = [
      ['no kind of factor', '/factors', {}, 400, 'validation_failed'],
      ['an unknown kind', '/factors', { factor_type: 'recovery_code' }, 400, 'validation_failed'],
      ['a long name', '/factors', { factor_type: 'totp', friendly_name: long }, 400, 'validation_failed'],
      [
        'a number for a name',
        '/factors',
        { factor_type: 'totp', friendly_name: 7 },
        400,
        'validation_failed',
      ],
      ['NUL in a name', '/factors', { factor_type: 'totp', friendly_name: 'a\0' }, 400, 'validation_failed'],
      ['a long issuer', '/factors', { factor_type: 'totp', issuer: long }, 400, 'validation_failed'],
      ['a phone factor without phone', '/factors', { factor_type: 'phone' }, 400, 'validation_failed'],
      ['no phone number', '/factors', { factor_type: 'phone', phone: '12-34' }, 400, 'validation_failed'],
      ['no JSON', '/factors', undefined, 400, 'bad_json'],
      ['an id that is none', '/factors/nonsense/challenge', {}, 404, 'validation_failed'],
      ['an unknown id', `/factors/${unknownId}/challenge`, {}, 404, 'mfa_factor_not_found'],
      [
        'an unknown channel',
        `/factors/${unknownId}/challenge`,
        { channel: 'pigeon' },
        400,
        'validation_failed',
      ],
      ['no challenge', `/factors/${unknownId}/verify`, { code: '123456' }, 400, 'validation_failed'],
      [
        'a challenge that is none',
        `/factors/${unknownId}/verify`,
        { challenge_id: 'x' },
        400,
        'validation_failed',
      ],
      ['a long code', `/factors/${unknownId}/verify`, { challenge_id, code: long }, 400, 'validation_failed'],
      [
        'an unknown factor',
        `/factors/${unknownId}/verify`,
        { challenge_id, code: '1' },
        404,
        'mfa_factor_not_found',
      ],
      ['no recovery code', '/factors/recovery-codes/verify', {}, 400, 'validation_failed'],
      ['a list of codes', '/factors/recovery-codes/verify', { code: ['x'] }, 400, 'validation_failed'],
      ['no credential', '/passkeys/registration/verify', { challenge_id }, 400, 'validation_failed'],
      [
        'a word for it',
        '/passkeys/registration/verify',
        { challenge_id, credential: 'x' },
        400,
        'validation_failed',
      ],
      [
        'no challenge of a passkey',
        '/passkeys/registration/verify',
        { credential: {} },
        400,
        'validation_failed',
      ],
      [
        'an unknown challenge',
        '/passkeys/authentication/verify',
        { challenge_id, credential: {} },
        400,
        'webauthn_challenge_not_found',
      ],
    ]

    it('is refused with its own error', async () => {
      const { session } = await signUpMember(server)
      for (const [what, path, body, status, code] of bad) {
        const init = {
          bearer: session.access_token,
          ...(body === undefined ? { method: 'POST', body: '{' } : { json: body }),
        }
        const answer = await server.request(path, init)
        expect([what, answer.status, answer.headers.get('x-sb-error-code')]).toEqual([what, status, code])
      }
    })

    it('a code may be missing only where a key answers', async () => {
      const { client, factorId } = await newVictim()
      const token = (await client.getSession()).data.session?.access_token ?? ''
      const challenge_id = await challengeOf(client, factorId)
      const answer = await server.request(`/factors/${factorId}/verify`, {
        bearer: token,
        json: { challenge_id },
      })
      expect([answer.status, answer.headers.get('x-sb-error-code')]).toEqual([400, 'validation_failed'])
    })

    it('names are taken once per person, and ten factors are enough', async () => {
      const { client } = await signUpMember(server)
      expect((await client.mfa.enroll({ factorType: 'totp', friendlyName: 'a' })).error).toBeNull()
      expect((await client.mfa.enroll({ factorType: 'totp', friendlyName: 'a' })).error).toMatchObject({
        status: 422,
        code: 'mfa_factor_name_conflict',
      })
      for (let i = 0; i < 9; i++) await client.mfa.enroll({ factorType: 'totp' })
      expect((await client.mfa.enroll({ factorType: 'totp' })).error).toMatchObject({
        status: 422,
        code: 'too_many_enrolled_mfa_factors',
      })
    })

    it('of any shape never breaks a call', async () => {
      const { session, client } = await signUpMember(server)
      const factorId = (await client.mfa.enroll({ factorType: 'totp' })).data?.id ?? ''
      const paths = [
        '/factors',
        `/factors/${factorId}/challenge`,
        `/factors/${factorId}/verify`,
        '/factors/recovery-codes/verify',
        '/passkeys/registration/verify',
        '/passkeys/authentication/verify',
      ]
      const names = [
        'factor_type',
        'friendly_name',
        'phone',
        'issuer',
        'channel',
        'challenge_id',
        'code',
        'webauthn',
        'credential',
      ]
      const value = fc.oneof(
        fc.constantFrom(unknownId, 'totp', 'phone', '', null, {}, [], -1, '__proto__'),
        fc.jsonValue(),
      )
      const body = fc.dictionary(fc.constantFrom(...names), value)
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...paths), body, async (path, json) => {
          const answer = await server.request(path, { bearer: session.access_token, json })
          expect(answer.status).toBeLessThan(500)
        }),
        { numRuns: 150 },
      )
    })

    it('in place of any part of a passkey’s answer is refused as such', async () => {
      const { client } = await signUpMember(server)
      const { data: started } = await client.passkey.startRegistration()
      const authenticator = new SoftAuthenticator(siteUrl)
      const options = started?.options ?? expect.unreachable()
      const made = authenticator.create(options)
      await client.passkey.verifyRegistration({ challengeId: started?.challenge_id ?? '', credential: made })
      const junk = ['', 'AAAA', '!', 'A'.repeat(5000), 7, null, [], {}]
      for (const part of [
        'clientDataJSON',
        'authenticatorData',
        'signature',
        'id',
        'rawId',
        'type',
      ] as const) {
        for (const value of junk) {
          const { data } = await server.client().passkey.startAuthentication()
          const good = authenticator.get(data?.options ?? { challenge: '' })
          const isInner = part in good.response
          const credential = isInner
            ? { ...good, response: { ...good.response, [part]: value } }
            : { ...good, [part]: value }
          const json = { challenge_id: data?.challenge_id, credential }
          const answer = await server.request('/passkeys/authentication/verify', { json })
          expect([part, value, answer.status]).toEqual([part, value, 400])
        }
      }
    })
  })
})
