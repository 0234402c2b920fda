import type { Logger } from 'pino'
import type { Database } from '#server/database/port.ts'
import type { AccessTokens } from '#server/identity/access-tokens.ts'
import type { ApiKeys } from '#server/identity/api-keys.ts'
import type { KeySet } from '#server/identity/key-set.ts'
import type { Mailer } from '#server/mail/port.ts'
import { createSeal, type Seal } from './factors/seal.ts'
import { createLimits, type Limits } from './limits.ts'
import { createSecrets, type Secrets } from './secrets.ts'
import type { AuthSettings } from './settings.ts'
import type { SmsSender } from './sms/port.ts'

/** What the auth service is built from. */
export interface AuthDeps {
  db: Database
  keys: ApiKeys
  keySet: KeySet
  tokens: AccessTokens
  mailer: Mailer
  sms: SmsSender
  settings: AuthSettings
  log: Logger
  /** Milliseconds since 1970; tests turn it. */
  now?: () => number
}

/** The same, with what follows from it: every endpoint finds it in `c.var.services`. */
export interface Services extends Required<AuthDeps> {
  secrets: Secrets
  seal: Seal
  limits: Limits
}

export const createServices = (deps: AuthDeps): Services => ({
  ...deps,
  now: deps.now ?? Date.now,
  secrets: createSecrets(deps.keys.secret),
  seal: createSeal(deps.keys.secret),
  limits: createLimits(deps.db, deps.settings),
})
