import { providerErrors } from '../errors.ts'
import type { OpenIdDialect } from './openid-provider.ts'
import { type Claims, type IdentityProvider, type ProviderSettings, saysVerified } from './provider.ts'

/** The providers that the owner has set up. */
export interface Providers {
  has(name: string): boolean
  /** Errors: validation_failed for a name that is not set up. */
  find(name: string | undefined): Promise<IdentityProvider>
  /** The name of the provider whose client that is, for ID tokens that come without a name. */
  nameByClient(issuer: string, clientId: string): string | undefined
}

interface Options {
  settings: ReadonlyMap<string, ProviderSettings>
  /** Our own callback. Never made from a request: its Host header is the sender's choice. */
  redirectUri: string
  now: () => number
}

/**
 * Microsoft signs in people of any organisation, whose administrators choose what addresses their people have.
 * Only the claim xms_edov says that the organisation owns the address's domain.
 */
const ownsDomain = ({ xms_edov: owns }: Claims): boolean =>
  owns === true || owns === 1 || owns === '1' || owns === 'true'

const dialects: Readonly<Record<string, OpenIdDialect>> = {
  google: { issuer: 'https://accounts.google.com' },
  apple: {
    issuer: 'https://appleid.apple.com',
    scopes: ['openid', 'email', 'name'],
    parameters: { response_mode: 'form_post' },
    isVerified: saysVerified,
  },
  azure: { issuer: 'https://login.microsoftonline.com/common/v2.0', isVerified: ownsDomain },
}

const withoutSlash = (address = ''): string => address.replace(/\/+$/, '')

export function createProviders({ settings, redirectUri, now }: Options): Providers {
  const made = new Map<string, Promise<IdentityProvider>>()
  return {
    has: (name) => settings.has(name),
    async find(name = '') {
      const own = settings.get(name)
      if (!own) throw providerErrors.unsupported()
      const known = made.get(name) ?? make({ name, settings: own, redirectUri, now })
      made.set(name, known)
      return known
    },
    nameByClient(issuer, clientId) {
      const isMeant = ([name, { clientId: ids, url }]: [string, ProviderSettings]) =>
        withoutSlash(url ?? dialects[name]?.issuer) === withoutSlash(issuer) &&
        ids.split(',').includes(clientId)
      return [...settings].find(isMeant)?.[0]
    },
  }
}

interface Making extends Omit<Options, 'settings'> {
  name: string
  settings: ProviderSettings
}

/** What speaks to providers is loaded with the first that is asked for. */
async function make(making: Making): Promise<IdentityProvider> {
  const { name, settings } = making
  if (name === 'github' || name === 'facebook') {
    const { oauth2Provider } = await import('./oauth2-provider.ts')
    return oauth2Provider({
      ...making,
      settings: { ...settings, url: settings.url && withoutSlash(settings.url) },
    })
  }
  const { openIdProvider } = await import('./openid-provider.ts')
  return openIdProvider({ ...making, dialect: dialects[name] ?? {} })
}
