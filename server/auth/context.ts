import type { Context } from 'hono'
import type { Logger } from 'pino'
import type { Database } from '#server/database/port.ts'
import { type Admission, clientAddress, createAdmission, socketAddressOf } from '#server/http/admission.ts'
import type { Jobs } from '#server/jobs/port.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import type { AccessTokens } from '#server/tokens/access-tokens.ts'
import type { ApiKeys } from '#server/tokens/api-keys.ts'
import type { Sealing } from '#server/tokens/encryption.ts'
import type { KeySet } from '#server/tokens/signing-keys.ts'
import type { ProviderSettings } from './oauth/provider.ts'
import { createProviders, type Providers } from './oauth/providers.ts'
import type { PasswordRules } from './password/passwords.ts'
import { createLimits, type Limits, type RateLimitSettings } from './rate-limits.ts'
import { createSecrets, type Secrets } from './secrets.ts'
import type { SessionRow } from './sessions/queries.ts'
import type { SmsSender } from './sms.ts'
import type { UserRow } from './users/user.ts'

/** Somebody signed in: the account and the session that the access token names. */
export interface Member {
  user: UserRow
  session: SessionRow
}

/** What handlers find in the context. `member` only behind `requireMember`. */
export interface AuthEnv {
  Variables: { services: Services; member: Member }
}

export type AuthContext = Context<AuthEnv>
export type Endpoint = (c: AuthContext) => Promise<Response>

/** What the auth service is built from. */
export interface AuthDeps {
  db: Database
  jobs: Jobs
  keys: ApiKeys
  keySet: KeySet
  /** For what has to be read again. */
  sealing: Sealing
  tokens: AccessTokens
  mailer: Mailer
  sms: SmsSender
  settings: AuthSettings
  log: Logger
  admission?: Admission
  /** Milliseconds since 1970; tests turn it. */
  now?: () => number
}

/** The same, with what follows from it: every endpoint finds it in `c.var.services`. */
export interface Services extends Required<AuthDeps> {
  secrets: Secrets
  limits: Limits
  providers: Providers
}

export function createServices(deps: AuthDeps): Services {
  const { db, keys, settings, admission = createAdmission(settings), now = Date.now } = deps
  return {
    ...deps,
    admission,
    now,
    secrets: createSecrets(keys.secret),
    limits: createLimits(db, settings),
    providers: createProviders({
      settings: settings.providers,
      redirectUri: `${settings.issuer}/callback`,
      now,
    }),
  }
}

/** The time of the account service, as its rows hold it: ISO 8601 in UTC. */
export const nowIso = ({ now }: { now: () => number }): string => new Date(now()).toISOString()

/** Who is on the other end of the line, for sessions, limits and the audit log. */
export interface Client {
  /** Undefined for a call from within this process. */
  address: string | undefined
  userAgent: string
}

const MAX_USER_AGENT = 500

export function clientOf(c: AuthContext): Client {
  const { trustedProxies } = c.var.services.settings
  const agent = c.req.header('user-agent') ?? ''
  return {
    address: clientAddress(
      { forwardedFor: c.req.header('x-forwarded-for'), socketAddress: socketAddressOf(c.env) },
      trustedProxies,
    ),
    // A header cannot hold NUL, but Latin-1 control characters are of no use to anybody either.
    userAgent: agent.replaceAll(/[^\x20-\x7e]/g, '').slice(0, MAX_USER_AGENT),
  }
}

/** What an owner may decide about accounts; the variables stand in docs/architecture.md. */
export interface AuthSettings extends RateLimitSettings {
  /** `<api address>/auth/v1`: the tokens' issuer, and where links in mails lead. */
  issuer: string
  siteUrl: string
  /** Further addresses that redirect_to may name, exact or as glob patterns. */
  redirectUrls: readonly string[]
  disableSignup: boolean
  autoconfirm: boolean
  anonymous: boolean
  /** Whether somebody signed in may link and unlink identities. */
  manualLinking: boolean
  /** Who else may vouch for somebody, by the name that clients ask for: google, github, … */
  providers: ReadonlyMap<string, ProviderSettings>
  /** Whether organisations may bring their own identity provider (SAML 2.0). */
  saml: boolean
  /** Whether a sign-in may begin at the identity provider: whoever has an account there can then sign others in to it. */
  samlIdpInitiated: boolean
  password: PasswordRules
  /** A new password then needs a code from GET /reauthenticate, once the session is a day old. */
  reauthenticate: boolean
  sessions: SessionLimits
  /** How many proxies of our own stand in front and write X-Forwarded-For. */
  trustedProxies: number
  captcha: CaptchaSettings | undefined
  /** Fixed codes by phone number (digits only): nothing is sent to these. */
  testOtps: ReadonlyMap<string, string>
}

export interface SessionLimits {
  /** A session ends this long after the sign-in. */
  timeBoxSeconds: number | undefined
  /** A session ends when it is not refreshed for this long. */
  inactivitySeconds: number | undefined
}

export interface CaptchaSettings {
  provider: 'turnstile' | 'hcaptcha'
  secret: string
  /** In place of the provider's own address; tests let a server of theirs answer. */
  verifyUrl?: string
}
