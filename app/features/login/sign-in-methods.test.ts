import { expect, it } from 'vitest'
import { findSignInMethods, providerName, readSignInMethods } from './sign-in-methods.ts'

it('offers what is configured, and nothing that is only the form', () => {
  const external = {
    email: true,
    phone: true,
    anonymous_users: true,
    google: true,
    apple: false,
    our_school: true,
  }
  expect(readSignInMethods({ external, saml_enabled: true, passkeys_enabled: true })).toEqual({
    providers: ['google', 'our_school'],
    organisations: true,
    passkeys: true,
    texts: true,
  })
})

it.each([null, 'no', [], {}, { external: 'all', saml_enabled: 'yes' }])('offers nothing for %j', (answer) => {
  expect(readSignInMethods(answer)).toEqual({
    providers: [],
    organisations: false,
    passkeys: false,
    texts: false,
  })
})

it.each([
  ['google', 'Google'],
  ['azure', 'Microsoft'],
  ['github', 'GitHub'],
  ['our_school', 'Our School'],
])('%s is called %s', (provider, name) => {
  expect(providerName(provider)).toBe(name)
})

const settings = {
  siteUrl: 'http://site',
  apiUrl: 'http://site',
  publishableKey: 'key',
  contactEmail: '',
  earlyAccess: true,
  backups: 'nightly' as const,
}

it('knows nothing when the service does not answer', async () => {
  const silent = async () => new Response('', { status: 503 })
  const broken = async () => Promise.reject(new Error('no network'))
  for (const fetch of [silent, broken]) {
    expect(await findSignInMethods({ settings, api: { url: 'http://api', fetch } })).toBeNull()
  }
})
