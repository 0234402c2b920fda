/** What an owner may decide about accounts; the variables stand in docs/architecture.md. */
export interface AuthSettings {
  /** `<api address>/auth/v1`: the tokens' issuer, and where links in mails lead. */
  issuer: string
  siteUrl: string
  /** Further addresses that redirect_to may name, exact or as glob patterns. */
  redirectUrls: readonly string[]
  disableSignup: boolean
  autoconfirm: boolean
  anonymous: boolean
  /** Whether somebody signed in may add and remove ways in. */
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
  /** Seconds between two mails (or text messages) of a kind to one address. */
  mailInterval: number
  /** How much the whole installation sends in an hour; notices of changes to an account come on top. */
  mailsPerHour: number
  smsPerHour: number
  /** False lifts the limits per client address. */
  rateLimits: boolean
  /** How many proxies of our own stand in front and write X-Forwarded-For. */
  trustedProxies: number
  captcha: CaptchaSettings | undefined
  /** Fixed codes by phone number (digits only): nothing is sent to these. */
  testOtps: ReadonlyMap<string, string>
}

export interface ProviderSettings {
  /** Several with commas between them: the first is for the web, ID tokens may be for any (phone apps have their own). */
  clientId: string
  secret: string
  /** The issuer, or in place of a well-known provider's own addresses. */
  url: string | undefined
}

export interface PasswordRules {
  minLength: number
  /** Sets of characters of which each must be there; the Supabase CLI's names for them are read in the config. */
  mustContain: readonly string[]
  /** Whether passwords that stand in well-known leaks are refused. */
  refuseLeaked: boolean
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

/** Links and codes in mails and text messages are good for an hour. */
export const OTP_LIFETIME_SECONDS = 3600
/** Signing in at a provider may take a while: second factors, forgotten passwords. */
export const STATE_LIFETIME_SECONDS = 900
/** A PKCE code must be exchanged within five minutes. */
export const FLOW_LIFETIME_SECONDS = 300
