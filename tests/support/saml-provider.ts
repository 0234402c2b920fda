import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inflateRawSync } from 'node:zlib'
import samlp, { type ResponseOptions } from 'samlp'
import { selfSigned } from './certificate.ts'

/** Somebody who works at the organisation. */
export interface Employee {
  id: string
  format?: string
  attributes: Record<string, unknown>
}

/** What an AuthnRequest asks. */
export interface SamlRequest {
  id: string
  acs: string
  entityId: string
  relayState: string
}

export type SamlProvider = Awaited<ReturnType<typeof startSamlProvider>>

const LASTING = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'

/**
 * A real SAML identity provider (samlp) on a free port of 127.0.0.1. Whoever comes to it is `signedIn` without a
 * click, and is sent back by a form that posts itself.
 */
export async function startSamlProvider({ signedIn }: { signedIn: Employee }) {
  const state = { signedIn, keys: selfSigned('Test identity provider') }
  /** What /metadata answers in place of the metadata; undefined: nothing is wrong. */
  let broken: string | undefined
  let asked = 0
  const server = createServer(async (request, response) => {
    const address = new URL(request.url ?? '', url)
    if (address.pathname === '/metadata') {
      asked++
      return response.end(broken ?? metadata(url, state.keys.cert))
    }
    if (address.pathname !== '/sso') return response.writeHead(404).end()
    const sent = readRequest(address)
    showForm(response, sent, await respond(sent))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  /** The response to a request, as base64; `lies` take the place of what would be right. */
  async function respond(asked: SamlRequest, lies: Partial<ResponseOptions> = {}): Promise<string> {
    const options: ResponseOptions = {
      ...state.keys,
      issuer: `${url}/metadata`,
      audience: asked.entityId,
      recipient: asked.acs,
      destination: asked.acs,
      inResponseTo: asked.id,
      lifetimeInSeconds: 300,
      signAssertion: true,
      signResponse: false,
      signatureAlgorithm: 'rsa-sha256',
      digestAlgorithm: 'sha256',
      typedAttributes: true,
      profileMapper: () => ({
        getClaims: () => state.signedIn.attributes,
        getNameIdentifier: () => ({
          nameIdentifier: state.signedIn.id,
          nameIdentifierFormat: state.signedIn.format ?? LASTING,
        }),
      }),
      ...lies,
    }
    const xml = await new Promise<string>((resolve, reject) =>
      samlp.getSamlResponse(options, {}, (error, text) => (error ? reject(error) : resolve(text))),
    )
    return Buffer.from(xml).toString('base64')
  }

  return {
    url,
    metadataUrl: `${url}/metadata`,
    metadataXml: metadata(url, state.keys.cert),
    /** A new certificate, as when the old one ends. */
    renewKeys() {
      state.keys = selfSigned('Test identity provider')
    },
    /** Lets the address of the metadata answer something else, or again what is right. */
    breakMetadata(text?: string) {
      broken = text
    },
    timesAsked: () => asked,
    be(employee: Employee) {
      state.signedIn = employee
    },
    respond,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Reads the address that the service sends a browser to. */
export function readRequest(address: URL): SamlRequest {
  const packed = Buffer.from(address.searchParams.get('SAMLRequest') ?? '', 'base64')
  const xml = inflateRawSync(packed).toString()
  const read = (pattern: RegExp) => pattern.exec(xml)?.[1] ?? ''
  return {
    id: read(/ ID="([^"]+)"/),
    acs: read(/AssertionConsumerServiceURL="([^"]+)"/),
    entityId: read(/<saml:Issuer[^>]*>([^<]+)</),
    relayState: address.searchParams.get('RelayState') ?? '',
  }
}

function showForm(response: ServerResponse, { acs, relayState }: SamlRequest, message: string): void {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
  response.end(`<!doctype html><html lang="en"><title>Test identity provider</title>
    <body onload="document.forms[0].submit()"><form method="post" action="${acs}">
    <input name="SAMLResponse" value="${message}"><input name="RelayState" value="${relayState}">
    <button>Go on</button></form></body></html>`)
}

/** What an administrator of the organisation hands over. */
export const metadata = (url: string, cert: string, entityId = `${url}/metadata`) => `<?xml version="1.0"?>
<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entityId}">
  <md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    <md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data>
      <ds:X509Certificate>${cert.replaceAll(/-----[A-Z ]+-----|\n/g, '')}</ds:X509Certificate>
    </ds:X509Data></ds:KeyInfo></md:KeyDescriptor>
    <md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${url}/sso"/>
  </md:IDPSSODescriptor>
</md:EntityDescriptor>`
