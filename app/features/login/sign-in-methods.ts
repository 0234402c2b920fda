import type { SiteServices } from '#app/session/site.ts'

/** The ways in that the account service offers beside the password. */
export interface SignInWays {
  /** Names as the service knows them: google, azure, … */
  providers: string[]
  /** Organisations have brought identity providers of their own (SAML). */
  organisations: boolean
  passkeys: boolean
  /** Codes can be sent by text message. */
  texts: boolean
}

/** Only the form. */
export const noOtherWays: SignInWays = { providers: [], organisations: false, passkeys: false, texts: false }
/** These are no providers: the form itself, and what is not for people who sign in. */
const ownWays = new Set(['email', 'phone', 'anonymous_users'])
const TIMEOUT_MS = 5_000

/** Asks the account service (GET /settings). Null when it cannot be asked: then only the form is known to work. */
export async function findSignInWays({
  settings: { publishableKey },
  api,
}: Pick<SiteServices, 'settings' | 'api'>): Promise<SignInWays | null> {
  try {
    const answer = await api.fetch(`${api.url}/auth/v1/settings`, {
      headers: { apikey: publishableKey },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return answer.ok ? readSignInWays(await answer.json()) : null
  } catch {
    return null
  }
}

/** Reads an answer of GET /settings; what is not there is not offered. */
export function readSignInWays(answer: unknown): SignInWays {
  if (!isObject(answer)) return noOtherWays
  const { external, saml_enabled, passkeys_enabled } = answer
  return {
    providers: isObject(external)
      ? Object.keys(external).filter((name) => external[name] === true && !ownWays.has(name))
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
