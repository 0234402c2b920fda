import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/database/port.ts'
import { type AuthServer, openAuth, signUpMember } from '#tests/support/auth.ts'
import { selfSigned } from '#tests/support/certificate.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { startHttpServer } from '#tests/support/http-server.ts'
import { metadata, type SamlProvider, startSamlProvider } from '#tests/support/saml-provider.ts'
import { adminCall } from '#tests/support/sso.ts'

const { cert } = selfSigned('organisations')
let made = 0
/** Metadata of an organisation that nobody has brought yet. */
const freshMetadata = (entityId = `https://idp-${made++}.example/metadata`) =>
  metadata('https://idp.example', cert, entityId)

describe('organisations', () => {
  let db: Database
  let server: AuthServer
  let idp: SamlProvider
  beforeAll(async () => {
    db = await openTestDatabase()
    server = await openAuth(db, { settings: { saml: true } })
    idp = await startSamlProvider({ signedIn: { id: 'x', attributes: {} } })
  })
  afterAll(async () => {
    await idp.stop()
    await db.close()
  })

  const call = (method: string, path = '', json?: object) => adminCall(server, method, path, json)
  const create = (more: object = {}) =>
    call('POST', '', { type: 'saml', metadata_xml: freshMetadata(), ...more })

  it('are brought, shown, listed, changed and removed', async () => {
    const attribute_mapping = { keys: { email: { name: 'mail' } } }
    const created = await create({
      domains: ['A.example', 'b.example'],
      attribute_mapping,
      resource_id: 'r-1',
    })
    expect(created.status).toBe(201)
    const { id } = created.body
    expect(created.body).toMatchObject({
      resource_id: 'r-1',
      saml: { entity_id: expect.stringMatching(/^https:\/\/idp-\d+\.example\/metadata$/), attribute_mapping },
      domains: [{ domain: 'a.example' }, { domain: 'b.example' }],
    })
    expect(created.body.saml.metadata_xml).toContain('EntityDescriptor')
    expect((await call('GET', `/${id}`)).body).toEqual(created.body)

    const { body: list } = await call('GET')
    const listed = list.items.find((item: { id: string }) => item.id === id)
    expect(listed.saml.entity_id).toBe(created.body.saml.entity_id)
    expect(listed.saml.metadata_xml).toBeUndefined()

    const changed = await call('PUT', `/${id}`, { domains: ['c.example'], disabled: true })
    expect(changed.body).toMatchObject({
      id,
      disabled: true,
      domains: [{ domain: 'c.example' }],
      resource_id: 'r-1',
    })
    expect(changed.body.saml).toEqual(created.body.saml)
    const off = await server.client().signInWithSSO({ domain: 'c.example' })
    expect(off.error).toMatchObject({ status: 422, code: 'sso_provider_disabled' })

    expect((await call('DELETE', `/${id}`)).body).toMatchObject({ id, saml: changed.body.saml })
    expect((await call('GET', `/${id}`)).body.error_code).toBe('sso_provider_not_found')
    expect((await call('DELETE', `/${id}`)).status).toBe(404)
  })

  it('can be brought by an address, which is asked again when it is given again', async () => {
    const { status, body } = await call('POST', '', { type: 'saml', metadata_url: idp.metadataUrl })
    expect([status, body.saml.entity_id]).toEqual([201, idp.metadataUrl])
    expect(body.saml.metadata_url).toBe(idp.metadataUrl)
    const again = await call('PUT', `/${body.id}`, { metadata_url: idp.metadataUrl })
    expect(again.status).toBe(200)
  })

  it('leave a trace of who was added and removed', async () => {
    const { body } = await create()
    await call('DELETE', `/${body.id}`)
    const answer = await server.request('/admin/audit?per_page=2', { bearer: server.deps.keys.secret })
    const actions = (await answer.json()).map(
      (entry: { payload: { action: string } }) => entry.payload.action,
    )
    expect(actions.sort()).toEqual(['sso_provider_created', 'sso_provider_deleted'])
  })

  it('share neither entity, nor domain, nor resource id', async () => {
    const xml = freshMetadata()
    await create({ metadata_xml: xml, domains: ['mine.example'], resource_id: 'mine' })
    const codeOf = async (more: object) => (await create(more)).body.error_code
    expect(await codeOf({ metadata_xml: xml })).toBe('saml_idp_already_exists')
    expect(await codeOf({ domains: ['MINE.example'] })).toBe('sso_domain_already_exists')
    expect(await codeOf({ resource_id: 'Mine' })).toBe('validation_failed')
    const { body: second } = await create()
    const stolen = await call('PUT', `/${second.id}`, { domains: ['mine.example'] })
    expect(stolen.body.error_code).toBe('sso_domain_already_exists')
    const other = await call('PUT', `/${second.id}`, { metadata_xml: freshMetadata() })
    expect(other.body.error_code).toBe('saml_entity_id_mismatch')
  })

  it.each<[what: string, body: object]>([
    ['another type', { type: 'oidc', metadata_xml: freshMetadata() }],
    ['no metadata', { type: 'saml' }],
    ['metadata twice', { type: 'saml', metadata_xml: freshMetadata(), metadata_url: 'https://x.example' }],
    ['an address without TLS', { type: 'saml', metadata_url: 'http://x.example/metadata' }],
    ['an address that is a file', { type: 'saml', metadata_url: 'file:///etc/passwd' }],
    ['noise for metadata', { type: 'saml', metadata_xml: 'noise' }],
    ['metadata of something else', { type: 'saml', metadata_xml: '<html/>' }],
    [
      'metadata with entities',
      { type: 'saml', metadata_xml: `<!DOCTYPE x [<!ENTITY a "b">]>${freshMetadata()}` },
    ],
    [
      'a certificate that is none',
      { type: 'saml', metadata_xml: metadata('https://i.example', 'AAAA', 'https://i') },
    ],
    [
      'an address that is a program',
      { type: 'saml', metadata_xml: metadata('javascript:alert(1)//', cert, 'https://j') },
    ],
    ['a domain that is none', { type: 'saml', metadata_xml: freshMetadata(), domains: ['no domain'] }],
    [
      'a claim with a dangerous name',
      {
        type: 'saml',
        metadata_xml: freshMetadata(),
        attribute_mapping: { keys: { constructor: { name: 'x' } } },
      },
    ],
  ])('are not brought with %s', async (_what, body) => {
    const answer = await call('POST', '', body)
    expect([answer.status, answer.body.error_code]).toEqual([400, 'validation_failed'])
  })

  it('are not brought by an address that answers badly, or leads elsewhere', async () => {
    const elsewhere = await startHttpServer(() => ({ status: 302, headers: { location: idp.metadataUrl } }))
    for (const metadata_url of ['http://127.0.0.1:1/metadata', `${elsewhere.url}/metadata`]) {
      const answer = await call('POST', '', { type: 'saml', metadata_url })
      expect([answer.status, answer.body.error_code]).toEqual([422, 'saml_metadata_fetch_failed'])
      expect(JSON.stringify(answer.body)).not.toContain('127.0.0.1')
    }
    await elsewhere.stop()
  })

  it('are none of a member’s or a visitor’s business', async () => {
    const { session } = await signUpMember(server)
    const visit = async (bearer: string) => {
      const answer = await server.request('/admin/sso/providers', { bearer })
      return [answer.status, (await answer.json()).error_code]
    }
    expect(await visit(session.access_token)).toEqual([403, 'not_admin'])
    expect(await visit(server.deps.keys.publishable)).toEqual([403, 'not_admin'])
    expect((await call('GET', '/no-uuid')).body.error_code).toBe('validation_failed')
  })
})
