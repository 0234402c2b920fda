import { X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/database/port.ts'
import { type AuthServer, freshEmail, openAuth } from '#tests/support/auth.ts'
import { selfSigned } from '#tests/support/certificate.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { type SamlProvider, type SamlRequest, startSamlProvider } from '#tests/support/saml-provider.ts'
import { adminCall, askFor } from '#tests/support/sso.ts'

const MAIL = 'urn:oid:0.9.2342.19200300.100.1.3'
type Lies = Parameters<SamlProvider['respond']>[1]

const publicKeyOf = (cert: string) =>
  new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'pem' }).toString()
const forWhom = (cert: string): NonNullable<Lies> => ({
  encryptionCert: cert,
  encryptionPublicKey: publicKeyOf(cert),
  encryptionAlgorithm: 'http://www.w3.org/2009/xmlenc11#aes256-gcm',
})

describe('an encrypted assertion', () => {
  let db: Database
  let idp: SamlProvider
  let server: AuthServer
  let ours: string
  beforeAll(async () => {
    db = await openTestDatabase()
    idp = await startSamlProvider({ signedIn: { id: 'mallory', attributes: { [MAIL]: freshEmail() } } })
    server = await openAuth(db, { settings: { saml: true } })
    await adminCall(server, 'POST', '', {
      type: 'saml',
      metadata_xml: idp.metadataXml,
      domains: ['one.example'],
    })
    ours = await published()
  })
  afterAll(async () => {
    await idp.stop()
    await db.close()
  })

  /** The certificate that identity providers find in our metadata. */
  const published = async () => {
    const xml = await (await server.request('/sso/saml/metadata')).text()
    const [, base64] = /use="encryption"[\s\S]*?X509Certificate>([^<]+)</.exec(xml) ?? []
    return `-----BEGIN CERTIFICATE-----\n${base64
      ?.replaceAll(/\s/g, '')
      .match(/.{1,64}/g)
      ?.join('\n')}\n-----END CERTIFICATE-----\n`
  }
  const answerWith = async (lies: Lies, change = (xml: string, _asked: SamlRequest) => xml) => {
    const { asked, post } = await askFor(server, 'one.example')
    const xml = Buffer.from(await idp.respond(asked, lies), 'base64').toString()
    return post(Buffer.from(change(xml, asked)).toString('base64'))
  }

  it('signs in, by the certificate in our metadata, whose key is sealed in the database', async () => {
    const sent: string[] = []
    const said = await answerWith(forWhom(ours), (xml) => {
      sent.push(xml)
      return xml
    })
    expect(said).toBe('signed in')
    expect(sent[0]).toContain('EncryptedAssertion')
    expect(sent[0]).not.toContain('mallory')
    const { rows } = await db.asOwner('look', (tx) =>
      tx.query<{ private_key: string }>('select private_key from platform.saml_keys'),
    )
    expect(rows).toEqual([{ private_key: expect.stringMatching(/^sealed\.v1\./) }])
    expect(await published()).toBe(ours)
    const elsewhere = await openAuth(db, { settings: { saml: true } })
    expect(await (await elsewhere.request('/sso/saml/metadata')).text()).toContain('use="encryption"')
  })

  it.each(['aes128-cbc', 'aes256-cbc'])('signs in with %s too', async (name) => {
    const encryptionAlgorithm = `http://www.w3.org/2001/04/xmlenc#${name}`
    const older = { encryptionAlgorithm, disallowEncryptionWithInsecureAlgorithm: false }
    expect(await answerWith({ ...forWhom(ours), ...older })).toBe('signed in')
  })

  const UNREADABLE = /the encrypted assertion cannot be read, or is not signed by the identity provider/

  it.each<[what: string, lies: Lies, refusal: RegExp]>([
    ['without a signature', { signAssertion: false }, UNREADABLE],
    ['signed around it only', { signAssertion: false, signResponse: true }, UNREADABLE],
    ['signed by a stranger', selfSigned('stranger'), UNREADABLE],
    ['signed with SHA-1', { signatureAlgorithm: 'rsa-sha1', digestAlgorithm: 'sha1' }, /too weak/],
    ['for another audience', { audience: 'https://other.example' }, UNREADABLE],
    ['sent to another recipient', { recipient: 'https://other.example/acs' }, /sent to somebody else/],
    ['to another request', { inResponseTo: '_another' }, /answers another request/],
    ['whose time is over', { lifetimeInSeconds: -120 }, UNREADABLE],
  ])('%s is refused', async (_what, lies, refusal) => {
    const said = await answerWith({ ...forWhom(ours), ...lies })
    expect(said).toMatch(/^validation_failed: SAML response is not valid: /)
    expect(said).toMatch(refusal)
  })

  it('for somebody else’s key is refused', async () => {
    expect(await answerWith(forWhom(selfSigned('somebody else').cert))).toMatch(UNREADABLE)
  })

  it('that is changed is refused in the words of one that cannot be read', async () => {
    const flip = (xml: string) =>
      xml.replaceAll(
        /CipherValue>([^<]{40})/g,
        (_, text: string) => `CipherValue>${[...text].reverse().join('')}`,
      )
    expect(await answerWith(forWhom(ours), flip)).toMatch(UNREADABLE)
  })

  const encryptedIn = (xml: string) =>
    /<saml:EncryptedAssertion[\s\S]*<\/saml:EncryptedAssertion>/.exec(xml)?.[0] ?? expect.unreachable()
  const open = '<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_open"/>'

  it.each<[what: string, change: (xml: string) => string, refusal: RegExp]>([
    ['twice', (xml) => xml.replace(encryptedIn(xml), encryptedIn(xml).repeat(2)), /more than one/],
    ['beside an open one', (xml) => xml.replace(encryptedIn(xml), open + encryptedIn(xml)), /more than one/],
    [
      'by RSA as it was before',
      (xml) => xml.replace('rsa-oaep-mgf1p', 'rsa-1_5'),
      /encrypted by .* too weak/,
    ],
    [
      'hidden elsewhere',
      (xml) => xml.replace(encryptedIn(xml), `<x>${encryptedIn(xml)}</x>`),
      /no assertion|signed/,
    ],
    ['with a document type', (xml) => `<!DOCTYPE x [<!ENTITY a "b">]>${xml}`, /document types/],
  ])('%s is refused', async (_what, change, refusal) => {
    expect(await answerWith(forWhom(ours), change)).toMatch(refusal)
  })

  it('is taken once', async () => {
    const { asked, post } = await askFor(server, 'one.example')
    const response = await idp.respond(asked, forWhom(ours))
    expect(await post(response)).toBe('signed in')
    expect(await post(response)).toMatch(/^saml_relay_state_not_found/)
    expect(await (await askFor(server, 'one.example')).post(response)).toMatch(/answers another request/)
  })
})
