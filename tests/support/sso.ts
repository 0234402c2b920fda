import { type AuthServer, apiKeys } from './auth.ts'
import { openBrowser } from './browser.ts'
import { readRequest } from './saml-provider.ts'

/** A call of /admin/sso/providers with the secret key; auth-js has none. */
export async function adminCall(server: AuthServer, method: string, path: string, json?: object) {
  const answer = await server.request(`/admin/sso/providers${path}`, {
    method,
    ...(json && { json }),
    bearer: apiKeys.secret,
  })
  return { status: answer.status, body: await answer.json() }
}

/** A browser that is on its way to the identity provider of a domain, and can come back with a response. */
export async function askFor(server: AuthServer, domain: string) {
  const browser = openBrowser(server)
  const { data } = await server.client('implicit', browser.fetch).signInWithSSO({ domain })
  const asked = readRequest(new URL(data?.url ?? ''))
  /** `signed in`, or what was refused. */
  const post = (SAMLResponse: string) =>
    bringResponse(server, { SAMLResponse, RelayState: asked.relayState }, browser)
  return { asked, post }
}

/** Posts a response where they belong. Returns `signed in`, or what was refused. */
export async function bringResponse(
  server: AuthServer,
  form: { SAMLResponse: string; RelayState?: string },
  browser = openBrowser(server),
): Promise<string> {
  const acs = `${server.deps.settings.issuer}/sso/saml/acs`
  const { url, fragment } = await browser.post(acs, { RelayState: '', ...form })
  return fragment.has('access_token')
    ? 'signed in'
    : `${url.searchParams.get('error_code')}: ${url.searchParams.get('error_description')}`
}
