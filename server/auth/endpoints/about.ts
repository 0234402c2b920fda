import type { Endpoint } from '../context.ts'

/** How long clients may go on with keys that they have seen; a rotation announces itself by an unknown `kid`. */
const JWKS_MAX_AGE = 600

/** GET /.well-known/jwks.json: the public keys that access tokens can be checked with. */
export const jwks: Endpoint = async (c) => {
  c.header('Cache-Control', `public, max-age=${JWKS_MAX_AGE}`)
  return c.json({ keys: await c.var.services.keySet.published() })
}

/** GET /health */
export const health: Endpoint = async (c) => {
  await c.var.services.db.asOwner('health', (tx) => tx.query('select 1'))
  return c.json({
    name: 'GoTrue',
    version: 'walking-together',
    description: 'GoTrue-compatible account service',
  })
}

/** Providers that clients look for by name, whether they are set up or not. */
const WELL_KNOWN = ['apple', 'azure', 'facebook', 'github', 'google', 'keycloak']

/** GET /settings: which ways in there are. */
export const settings: Endpoint = async (c) => {
  const { settings, sms } = c.var.services
  const names = [...new Set([...WELL_KNOWN, ...settings.providers.keys()])]
  const providers = Object.fromEntries(names.map((name) => [name, settings.providers.has(name)]))
  return c.json({
    external: { ...providers, email: true, phone: true, anonymous_users: settings.anonymous },
    disable_signup: settings.disableSignup,
    mailer_autoconfirm: settings.autoconfirm,
    phone_autoconfirm: settings.autoconfirm,
    sms_provider: sms.name,
    saml_enabled: settings.saml,
    passkeys_enabled: true,
  })
}
