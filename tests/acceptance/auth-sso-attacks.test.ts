import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/database/port.ts'
import { type AuthServer, freshEmail, openAuth, siteUrl } from '#tests/support/auth.ts'
import { openBrowser } from '#tests/support/browser.ts'
import { selfSigned } from '#tests/support/certificate.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import {
  readRequest,
  type SamlProvider,
  type SamlRequest,
  startSamlProvider,
} from '#tests/support/saml-provider.ts'
import { adminCall } from '#tests/support/sso.ts'

const MAIL = 'urn:oid:0.9.2342.19200300.100.1.3'
type Lies = Parameters<SamlProvider['respond']>[1]

describe('a SAML response', () => {
  let db: Database
  let idp: SamlProvider
  let other: SamlProvider
  let server: AuthServer
  beforeAll(async () => {
    db = await openTestDatabase()
    const signedIn = { id: 'mallory', attributes: { [MAIL]: freshEmail() } }
    idp = await startSamlProvider({ signedIn })
    other = await startSamlProvider({ signedIn })
    server = await openAuth(db, { settings: { saml: true } })
    for (const [domain, peer] of [
      ['one.example', idp],
      ['two.example', other],
    ] as const) {
      await adminCall(server, 'POST', '', { type: 'saml', metadata_xml: peer.metadataXml, domains: [domain] })
    }
  })
  afterAll(async () => {
    await Promise.all([idp.stop(), other.stop()])
    await db.close()
  })

  const ask = async (on = server) => {
    const browser = openBrowser(on)
    const { data } = await on.client('implicit', browser.fetch).signInWithSSO({ domain: 'one.example' })
    const asked = readRequest(new URL(data?.url ?? ''))
    const post = async (SAMLResponse: string, RelayState = asked.relayState, from = browser) => {
      const { url, fragment } = await from.post(asked.acs, { SAMLResponse, RelayState })
      const isIn = fragment.has('access_token')
      return isIn
        ? 'signed in'
        : `${url.searchParams.get('error_code')}: ${url.searchParams.get('error_description')}`
    }
    return { browser, asked, post }
  }
  const answerWith = async (lies: Lies) => {
    const { asked, post } = await ask()
    return post(await idp.respond(asked, lies))
  }
  /** Changes the text of a response that was right. */
  const tamper = async (change: (xml: string, asked: SamlRequest) => string, lies: Lies = {}) => {
    const { asked, post } = await ask()
    const xml = Buffer.from(await idp.respond(asked, lies), 'base64').toString()
    return post(Buffer.from(change(xml, asked)).toString('base64'))
  }

  it('signs in when nothing is wrong with it, whoever signs the envelope too', async () => {
    expect(await answerWith({})).toBe('signed in')
    expect(await answerWith({ signResponse: true })).toBe('signed in')
  })

  it.each<[what: string, lies: Lies, refusal: RegExp]>([
    ['without a signature', { signAssertion: false }, /not signed by the identity provider/],
    ['signed around the assertion only', { signAssertion: false, signResponse: true }, /not signed by/],
    ['signed by a stranger', selfSigned('stranger'), /not signed by the identity provider/],
    ['signed with SHA-1', { signatureAlgorithm: 'rsa-sha1', digestAlgorithm: 'sha1' }, /too weak/],
    ['for another audience', { audience: 'https://other.example' }, /for somebody else/],
    ['without an audience', { audience: '' }, /for somebody else/],
    ['sent to another recipient', { recipient: 'https://other.example/acs' }, /sent to somebody else/],
    ['without a recipient', { recipient: '' }, /sent to somebody else/],
    ['to another request', { inResponseTo: '_another' }, /answers another request/],
    ['to no request', { inResponseTo: '' }, /answers another request/],
    ['whose time is over', { lifetimeInSeconds: -120 }, /has expired/],
    ['of another issuer', { issuer: 'https://other.example' }, /not the one that was asked/],
  ])('%s is refused', async (_what, lies, refusal) => {
    const said = await answerWith(lies)
    expect(said).toMatch(/^validation_failed: SAML response is not valid: /)
    expect(said).toMatch(refusal)
  })

  it('of another organisation’s identity provider is refused', async () => {
    const { asked, post } = await ask()
    expect(await post(await other.respond(asked))).toMatch(/not signed by/)
  })

  const assertionIn = (xml: string) => /<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(xml)?.[0] ?? ''
  const forged = (xml: string) =>
    assertionIn(xml)
      .replace(/<Signature[\s\S]*<\/Signature>/, '')
      .replaceAll('mallory', 'victim')
      .replace(/ID="[^"]+"/, 'ID="_forged"')

  it.each<[what: string, change: (xml: string) => string, refusal: RegExp]>([
    ['another name in it', (xml) => xml.replaceAll('mallory', 'victim'), /not signed by/],
    [
      'a forged assertion before the signed one',
      (xml) => xml.replace('<saml:Assertion', `${forged(xml)}<saml:Assertion`),
      /more than one/,
    ],
    [
      'a forged assertion after the signed one',
      (xml) => xml.replace('</samlp:Response>', `${forged(xml)}</samlp:Response>`),
      /more than one/,
    ],
    [
      'the signed one hidden in extensions',
      (xml) =>
        xml.replace(
          assertionIn(xml),
          `${forged(xml)}<samlp:Extensions>${assertionIn(xml)}</samlp:Extensions>`,
        ),
      /not signed by/,
    ],
    [
      'the signed one inside the forged one',
      (xml) =>
        xml.replace(
          assertionIn(xml),
          forged(xml).replace('</saml:Issuer>', `</saml:Issuer>${assertionIn(xml)}`),
        ),
      /not signed by/,
    ],
    ['the signed one inside the forged one’s signature', wrapInObject, /signed|cannot be read/],
    [
      'two elements of one ID',
      (xml) => xml.replace(assertionIn(xml), forged(xml).replace('_forged', idOf(xml)) + assertionIn(xml)),
      /more than one|signed/,
    ],
    ['a document type', (xml) => `<!DOCTYPE x [<!ENTITY a "b">]>${xml}`, /document types are not allowed/],
    ['entities that grow', (xml) => `${laughs}${xml}`, /document types are not allowed/],
    [
      'an entity that reads a file',
      (xml) => `<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>${xml}`,
      /document types/,
    ],
    [
      'a style sheet',
      (xml) => `<?xml-stylesheet href="https://x.example"?>${xml}`,
      /processing instructions/,
    ],
    [
      'elements within elements without end',
      (xml) => xml.replace('<samlp:Status>', `${'<a>'.repeat(4000)}${'</a>'.repeat(4000)}<samlp:Status>`),
      /too many elements/,
    ],
    ['nothing but noise', () => 'noise', /cannot be read/],
    ['no assertion', (xml) => xml.replace(assertionIn(xml), ''), /no assertion|signed/],
  ])('with %s is refused', async (_what, change, refusal) => {
    const said = await tamper(change)
    expect(said).toMatch(/^validation_failed: /)
    expect(said).toMatch(refusal)
  })

  it('with an algorithm whose name never ends is refused at once', async () => {
    // A pattern that looks for the end of the name begins anew at each of them: more than a second for all.
    expect(await tamper(() => `<a Algorithm="${'sha1'.repeat(11_000)}`)).toMatch(/too weak/)
  })

  it('cannot cut a name short by a comment', async () => {
    const change = (xml: string) => xml.replace('>mallory<', '>mal<!-- -->lory<')
    const said = await tamper(change)
    // The comment is not part of what was signed, and the name stays whole.
    expect(said).toBe('signed in')
    const { rows } = await db.asOwner('look', (tx) =>
      tx.query(`select 1 from auth.identities where provider_id = 'mal'`),
    )
    expect(rows).toEqual([])
  })

  it('is taken once', async () => {
    const { asked, post } = await ask()
    const response = await idp.respond(asked)
    expect(await post(response)).toBe('signed in')
    expect(await post(response)).toMatch(/^saml_relay_state_not_found/)
    const again = await ask()
    expect(await post(response, again.asked.relayState, again.browser)).toMatch(/answers another request/)
  })

  it('is not taken a quarter of an hour later', async () => {
    const patient = await openAuth(db, { settings: server.deps.settings })
    const { asked, post } = await ask(patient)
    patient.advance(901)
    expect(await post(await idp.respond(asked, { lifetimeInSeconds: 3600 }))).toMatch(
      /^saml_relay_state_expired/,
    )
  })

  it('opens nothing in a browser that did not ask', async () => {
    const { asked, post } = await ask()
    const said = await post(await idp.respond(asked), asked.relayState, openBrowser(server))
    expect(said).toContain('in another browser than the request')
  })

  it('that nobody asked for is refused, wherever its RelayState leads', async () => {
    const { asked, post } = await ask()
    for (const relayState of ['', 'https://evil.example/', 'javascript:alert(1)', '%00']) {
      const said = await post(await idp.respond(asked), relayState)
      expect(said).toMatch(/^saml_relay_state_not_found: Sign-ins that begin at the identity provider/)
    }
  })

  it('that says no is told as a refusal', async () => {
    const { asked, post } = await ask()
    const status = '<samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Responder"/>'
    const xml = `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_r" Version="2.0" InResponseTo="${asked.id}"><samlp:Status>${status}</samlp:Status></samlp:Response>`
    expect(await post(Buffer.from(xml).toString('base64'))).toMatch(/^access_denied: /)
  })

  it('missing, or sent as something else, is refused without a failure of ours', async () => {
    const acs = `${siteUrl}/auth/v1/sso/saml/acs`
    for (const body of ['', '{"SAMLResponse":1}', 'SAMLResponse=x&RelayState=y']) {
      const answer = await server.fetch(acs, { method: 'POST', body })
      expect([body, answer.status]).toEqual([body, 400])
    }
    const { post } = await ask()
    expect(await post('')).toMatch(/SAMLResponse is missing/)
  })
})

const idOf = (xml: string) => /<saml:Assertion[^>]* ID="([^"]+)"/.exec(xml)?.[1] ?? ''

/** The signature moves to the forged assertion, and keeps the signed one within itself (XSW 8). */
function wrapInObject(xml: string): string {
  const original = /<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(xml)?.[0] ?? ''
  const signature = /<Signature[\s\S]*<\/Signature>/.exec(original)?.[0] ?? ''
  const bare = original.replace(signature, '')
  const holding = signature.replace('</Signature>', `<Object>${bare}</Object></Signature>`)
  const fake = bare.replaceAll('mallory', 'victim').replace(/ID="[^"]+"/, 'ID="_forged"')
  return xml.replace(original, fake.replace('</saml:Issuer>', `</saml:Issuer>${holding}`))
}

const laughs = `<!DOCTYPE l [<!ENTITY a "${'ha'.repeat(50)}">${Array.from(
  { length: 8 },
  (_, i) => `<!ENTITY ${String.fromCharCode(98 + i)} "${`&${String.fromCharCode(97 + i)};`.repeat(10)}">`,
).join('')}]>`
