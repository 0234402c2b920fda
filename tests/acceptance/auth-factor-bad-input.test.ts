import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/database/port.ts'
import { type AuthServer, openAuth, signUpMember, siteUrl } from '#tests/support/auth.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { challengeOf, memberWithApp } from '#tests/support/second-factor.ts'
import { SoftAuthenticator } from '#tests/support/soft-authenticator.ts'

const unknownId = '00000000-0000-4000-8000-00000000dead'
const long = 'x'.repeat(300)

describe('bad input to second factors', () => {
  let db: Database
  let server: AuthServer
  beforeAll(async () => {
    db = await openTestDatabase()
    server = await openAuth(db)
  })
  afterAll(() => db.close())

  type Case = readonly [what: string, path: string, body: unknown, status: number, code: string]
  const challenge_id = unknownId
  const bad: Case[] = [
    ['no kind of factor', '/factors', {}, 400, 'validation_failed'],
    ['an unknown kind', '/factors', { factor_type: 'recovery_code' }, 400, 'validation_failed'],
    ['a long name', '/factors', { factor_type: 'totp', friendly_name: long }, 400, 'validation_failed'],
    ['a number for a name', '/factors', { factor_type: 'totp', friendly_name: 7 }, 400, 'validation_failed'],
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
    const { client, factorId } = await memberWithApp(server)
    const token = (await client.getSession()).data.session?.access_token ?? ''
    const challenge_id = await challengeOf(client, factorId)
    const answer = await server.request(`/factors/${factorId}/verify`, {
      bearer: token,
      json: { challenge_id },
    })
    expect([answer.status, answer.headers.get('x-sb-error-code')]).toEqual([400, 'validation_failed'])
  })

  it.each(['2870820', 'abcdef', '２８７０８２', '28708\u{1d7da}'])('%j is a wrong code', async (code) => {
    const { client, factorId } = await memberWithApp(server)
    expect((await client.mfa.challengeAndVerify({ factorId, code })).error).toMatchObject({
      status: 422,
      code: 'mfa_verification_failed',
    })
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
    for (const part of ['clientDataJSON', 'authenticatorData', 'signature', 'id', 'rawId', 'type'] as const) {
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
