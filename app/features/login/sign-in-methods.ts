import type { SiteServices } from '#app/session/site.ts'

/** The ways in that the account service offers beside the password. */
export interface SignInMethods {
  /** Names as the service knows them: google, azure, … */
  providers: string[]
  /** Organisations have brought identity providers of their own (SAML). */
  organisations: boolean
  passkeys: boolean
  /** Codes can be sent by text message. */
  texts: boolean
}

/** Only the form. */
export const noOtherMethods: SignInMethods = {
  providers: [],
  organisations: false,
  passkeys: false,
  texts: false,
}
/** These are no providers: the form itself, and what is not for people who sign in. */
const ownMethods = new Set(['email', 'phone', 'anonymous_users'])
const TIMEOUT_MS = 5_000

/** Asks the account service (GET /settings). Null when it cannot be asked: then only the form is known to work. */
export async function findSignInMethods({
  settings: { publishableKey },
  api,
}: Pick<SiteServices, 'settings' | 'api'>): Promise<SignInMethods | null> {
  try {
    const answer = await api.fetch(`${api.url}/auth/v1/settings`, {
      headers: { apikey: publishableKey },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return answer.ok ? readSignInMethods(await answer.json()) : null
  } catch {
    return null
  }
}

/** Reads an answer of GET /settings; what is not there is not offered. */
export function readSignInMethods(answer: unknown): SignInMethods {
  if (!isObject(answer)) return noOtherMethods
  const { external, saml_enabled, passkeys_enabled } = answer
  return {
    providers: isObject(external)
      ? Object.keys(external).filter((name) => external[name] === true && !ownMethods.has(name))
      : [],
    organisations: saml_enabled === true,
    passkeys: passkeys_enabled === true,
    texts: isObject(external) && external.phone === true,
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

const names: Readonly<Record<string, string>> = {
  azure: 'Microsoft',
  github: 'GitHub',
  gitlab: 'GitLab',
  linkedin_oidc: 'LinkedIn',
  email: 'E-mail and password',
  phone: 'Phone',
}

/** What people call a provider: well-known names, or the service's own with capitals. */
export const providerName = (provider: string): string =>
  names[provider] ??
  provider
    .split(/[_-]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
/** Passkeys belong to a name, not to an address in numbers, and browsers have them on https and localhost only. */
export const canUsePasskeys = (): boolean =>
  isSecureContext && 'PublicKeyCredential' in window && !/^[\d.]+$|^\[/.test(location.hostname)
