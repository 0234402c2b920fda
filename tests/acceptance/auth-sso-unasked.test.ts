import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refreshStaleMetadata } from '#server/auth/saml/metadata.ts'
import type { Database } from '#server/database/port.ts'
import { type AuthServer, freshEmail, openAuth, siteUrl } from '#tests/support/auth.ts'
import { openBrowser } from '#tests/support/browser.ts'
import { selfSigned } from '#tests/support/certificate.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { metadata, type SamlProvider, startSamlProvider } from '#tests/support/saml-provider.ts'
import { adminCall, askFor, bringResponse } from '#tests/support/sso.ts'

const MAIL = 'urn:oid:0.9.2342.19200300.100.1.3'

let db: Database
let idp: SamlProvider
let server: AuthServer
beforeAll(async () => {
  db = await openTestDatabase()
  idp = await startSamlProvider({ signedIn: { id: 'eve', attributes: { [MAIL]: freshEmail() } } })
  server = await openAuth(db, { settings: { saml: true } })
  await adminCall(server, 'POST', '', {
    type: 'saml',
    metadata_url: idp.metadataUrl,
    domains: ['one.example'],
  })
})
afterAll(async () => {
  await idp.stop()
  await db.close()
})

/** A response that answers no request, as a tile at the identity provider brings it. */
const unasked = async (on: AuthServer, lies: Parameters<SamlProvider['respond']>[1] = {}) => {
  const { asked } = await askFor(on, 'one.example')
  return idp.respond(asked, { inResponseTo: '', ...lies })
}

describe('a sign-in that begins at the identity provider', () => {
  it('is refused unless the owner allows it', async () => {
    expect(await bringResponse(server, { SAMLResponse: await unasked(server) })).toMatch(
      /^saml_relay_state_not_found: Sign-ins that begin at the identity provider/,
    )
  })

  describe('where the owner allows it', () => {
    let open: AuthServer
    beforeAll(async () => {
      open = await openAuth(db, { settings: { saml: true, samlIdpInitiated: true } })
    })

    it('opens a session, and goes on to an address of ours only', async () => {
      const acs = `${siteUrl}/auth/v1/sso/saml/acs`
      for (const [RelayState, target] of [
        ['', `${siteUrl}/`],
        [`${siteUrl}/profile`, `${siteUrl}/profile`],
        ['https://evil.example/', `${siteUrl}/`],
        ['javascript:alert(1)', `${siteUrl}/`],
      ] as const) {
        const form = { SAMLResponse: await unasked(open), RelayState }
        const { url, fragment } = await openBrowser(open).post(acs, form)
        expect(fragment.has('access_token')).toBe(true)
        expect(new URL(url.pathname, url.origin).href).toBe(target)
      }
    })

    it('is taken once', async () => {
      const SAMLResponse = await unasked(open)
      const both = await Promise.all([
        bringResponse(open, { SAMLResponse }),
        bringResponse(open, { SAMLResponse }),
      ])
      expect(both.sort()).toEqual([
        'signed in',
        'validation_failed: SAML response is not valid: it has been used before',
      ])
      open.advance(359)
      expect(await bringResponse(open, { SAMLResponse })).toMatch(/used before|has expired/)
      open.advance(-359)
    })

    it.each<[what: string, lies: NonNullable<Parameters<SamlProvider['respond']>[1]>, refusal: RegExp]>([
      ['that answers another’s request', { inResponseTo: '_stolen' }, /answers another request/],
      ['for another audience', { audience: 'https://other.example' }, /for somebody else/],
      ['sent to another recipient', { recipient: 'https://other.example/acs' }, /sent to somebody else/],
      ['without a signature', { signAssertion: false }, /not signed by/],
      ['signed by a stranger', selfSigned('stranger'), /not signed by/],
      ['whose time is over', { lifetimeInSeconds: -120 }, /has expired/],
    ])('is refused with a response %s', async (_what, lies, refusal) => {
      expect(await bringResponse(open, { SAMLResponse: await unasked(open, lies) })).toMatch(refusal)
    })

    it('of an organisation that we do not know is refused', async () => {
      const SAMLResponse = await unasked(open, { issuer: 'https://other.example' })
      expect(await bringResponse(open, { SAMLResponse })).toMatch(/^sso_provider_not_found/)
      for (const text of ['noise', '<Response/>', '<!DOCTYPE x><Response/>']) {
        const broken = Buffer.from(text).toString('base64')
        expect(await bringResponse(open, { SAMLResponse: broken })).toMatch(/^validation_failed/)
      }
    })

    it('still takes what was asked for only in the browser that asked', async () => {
      const { asked } = await askFor(open, 'one.example')
      const form = { SAMLResponse: await idp.respond(asked), RelayState: asked.relayState }
      expect(await bringResponse(open, form)).toContain('in another browser than the request')
    })
  })
})

describe('metadata with an address', () => {
  /** A service whose clock stands later than that of all before: what was read again lately is old for it. */
  let hours = 0
  const later = async () => {
    const one = await openAuth(db, { settings: { saml: true } })
    hours += 24
    one.advance(hours * 3600)
    return one
  }
  const refresh = (on: AuthServer) =>
    refreshStaleMetadata({ db, log: on.deps.log, now: on.deps.now ?? Date.now })
  const knownXml = async () => {
    const { rows } = await db.asOwner('look', (tx) =>
      tx.query<{ xml: string }>('select metadata_xml as xml from auth.saml_providers'),
    )
    return rows[0]?.xml ?? ''
  }
  /** Signs in with the clock as it is: identity providers live in the present. */
  const signIn = async () => {
    const { asked, post } = await askFor(server, 'one.example')
    return post(await idp.respond(asked))
  }
  const forgetReads = () => db.asOwner('test', (tx) => tx.query('delete from platform.saml_metadata_reads'))

  it('is read again when a new certificate signs, within the sign-in that shows it', async () => {
    expect(await signIn()).toBe('signed in')
    await forgetReads()
    idp.renewKeys()
    expect(await signIn()).toBe('signed in')
    const { rows } = await db.asOwner('look', (tx) =>
      tx.query(`select 1 from auth.audit_log_entries
        where payload ->> 'action' = 'sso_provider_updated' and payload -> 'traits' ->> 'changed' = 'metadata'`),
    )
    expect(rows).toHaveLength(1)
  })

  it('is asked for once a minute at most, however many forged responses come', async () => {
    await forgetReads()
    const before = idp.timesAsked()
    const stranger = selfSigned('stranger')
    const attempts = Array.from({ length: 5 }, async () => {
      const { asked, post } = await askFor(server, 'one.example')
      return post(await idp.respond(asked, stranger))
    })
    for (const said of await Promise.all(attempts)) expect(said).toMatch(/not signed by/)
    expect(idp.timesAsked() - before).toBe(1)
  })

  it('is read again daily by itself', async () => {
    await forgetReads()
    idp.renewKeys()
    const day = await later()
    expect(await refresh(day)).toBe(1)
    expect(await refresh(day)).toBe(0)
    const before = idp.timesAsked()
    await refresh(day)
    expect(idp.timesAsked()).toBe(before)
    expect(await signIn()).toBe('signed in')
    expect(await refresh(await later())).toBe(0)
    expect(idp.timesAsked()).toBe(before + 1)
  })

  it.each<[what: string, text: () => string]>([
    ['is noise', () => 'noise'],
    ['is of another entity', () => metadata(idp.url, selfSigned('x').cert, 'https://other.example')],
    ['has a document type', () => `<!DOCTYPE x [<!ENTITY a "b">]>${idp.metadataXml}`],
    ['is far too long', () => `<!--${'x'.repeat(2_000_000)}-->${idp.metadataXml}`],
  ])('that %s changes nothing', async (_what, text) => {
    const before = await knownXml()
    idp.breakMetadata(text())
    expect(await refresh(await later())).toBe(0)
    idp.breakMetadata()
    expect(await knownXml()).toBe(before)
    expect(await signIn()).toBe('signed in')
    const { rows } = await db.asOwner('look', (tx) =>
      tx.query<{ problem: string }>('select problem from platform.saml_metadata_reads'),
    )
    expect(rows[0]?.problem).toBeTruthy()
  })
})
