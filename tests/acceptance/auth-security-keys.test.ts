import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/database/port.ts'
import { type AuthServer, openAuth, signUpMember, siteUrl } from '#tests/support/auth.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { type Lies, SoftAuthenticator } from '#tests/support/soft-authenticator.ts'

/** As auth-js calls it: options inside `credential_options.publicKey`, answers inside `credential_response`. */
describe('security keys as second factors', () => {
  let db: Database
  let server: AuthServer
  beforeAll(async () => {
    db = await openTestDatabase()
    server = await openAuth(db)
  })
  afterAll(() => db.close())

  const webauthn = { rpId: 'site.example', rpOrigins: [siteUrl] }

  const call = async (path: string, bearer: string, json: unknown) => {
    const response = await server.request(path, { bearer, json })
    return { status: response.status, body: await response.json() }
  }

  /** Enrols, or signs when the factor is verified already. */
  const prove = async (bearer: string, factorId: string, key: SoftAuthenticator, lies: Lies = {}) => {
    const { body } = await call(`/factors/${factorId}/challenge`, bearer, { factorId, webauthn })
    const { type, credential_options } = body.webauthn
    const isNew = type === 'create'
    const options = credential_options.publicKey
    const credential_response = isNew ? key.create(options, lies) : key.get(options, lies)
    const answer = { challenge_id: body.id, webauthn: { ...webauthn, type, credential_response } }
    return { type, ...(await call(`/factors/${factorId}/verify`, bearer, answer)) }
  }

  const newOwner = async () => {
    const { client, session } = await signUpMember(server)
    const { data } = await client.mfa.enroll({ factorType: 'webauthn', friendlyName: 'Key' })
    const factorId = data?.id ?? ''
    return {
      client,
      bearer: session.access_token,
      factorId,
      key: new SoftAuthenticator(siteUrl, { counter: 1 }),
    }
  }

  it('are made at the first challenge and sign at the next', async () => {
    const { client, bearer, factorId, key } = await newOwner()
    const made = await prove(bearer, factorId, key)
    expect(made).toMatchObject({ type: 'create', status: 200 })
    expect(decodeJwt(made.body.access_token)).toMatchObject({
      aal: 'aal2',
      amr: [{ method: 'mfa/webauthn' }, { method: 'password' }],
    })
    expect(await prove(bearer, factorId, key)).toMatchObject({ type: 'request', status: 200 })
    expect((await client.mfa.listFactors()).data?.webauthn).toMatchObject([{ friendly_name: 'Key' }])
    expect(JSON.stringify((await client.getUser()).data)).not.toContain(key.id)
  })

  it.each<[what: string, lies: Lies]>([
    ['another site', { origin: 'http://evil.example' }],
    ['another party', { rpId: 'evil.example' }],
    ['another challenge', { challenge: 'AAAA' }],
    ['a count that goes back', { counter: 1 }],
  ])('are refused with %s', async (_what, lies) => {
    const { bearer, factorId, key } = await newOwner()
    await prove(bearer, factorId, key)
    expect(await prove(bearer, factorId, key, lies)).toMatchObject({
      status: 422,
      body: { error_code: 'mfa_verification_failed' },
    })
  })

  it('are refused without an answer, and with that of another key', async () => {
    const { bearer, factorId, key } = await newOwner()
    await prove(bearer, factorId, key)
    const { body } = await call(`/factors/${factorId}/challenge`, bearer, { webauthn })
    const refusal = { status: 422, body: { error_code: 'mfa_verification_failed' } }
    const bare = await call(`/factors/${factorId}/verify`, bearer, { challenge_id: body.id })
    expect(bare).toMatchObject(refusal)
    expect(await prove(bearer, factorId, new SoftAuthenticator(siteUrl))).toMatchObject(refusal)
  })
})
