import type { Logger } from 'pino'
import type { Database } from '#server/database/port.ts'
import { type Admission, createAdmission } from '#server/http/admission.ts'
import type { Jobs } from '#server/jobs/port.ts'
import type { Mailer } from '#server/mail/port.ts'
import type { AccessTokens } from '#server/tokens/access-tokens.ts'
import type { ApiKeys } from '#server/tokens/api-keys.ts'
import type { Sealing } from '#server/tokens/encryption.ts'
import type { KeySet } from '#server/tokens/signing-keys.ts'
import { createLimits, type Limits } from './limits.ts'
import { createProviders, type Providers } from './oauth/registry.ts'
import { createSecrets, type Secrets } from './secrets.ts'
import type { AuthSettings } from './settings.ts'
import type { SmsSender } from './sms/port.ts'

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
