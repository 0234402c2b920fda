import { readFile } from 'node:fs/promises'
import type { JWK } from 'jose'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { AuthSettings } from '#server/auth/context.ts'
import { createAuth } from '#server/auth/index.ts'
import { openSms } from '#server/auth/sms.ts'
import type { Config } from '#server/config/config.ts'
import { SetupError } from '#server/config/env.ts'
import type { Database } from '#server/database/port.ts'
import type { Admission } from '#server/http/admission.ts'
import type { Jobs } from '#server/jobs/port.ts'
import { openMailer } from '#server/mail/mailer.ts'
import { createAccessTokens, unlessEnded, watchEndedTokens } from '#server/tokens/access-tokens.ts'
import type { ApiKeys } from '#server/tokens/api-keys.ts'
import type { Sealing } from '#server/tokens/encryption.ts'
import { importSigningKey, openKeySet } from '#server/tokens/signing-keys.ts'

interface AccountDeps {
  db: Database
  /** Not yet started: the service says who works on which queue. */
  jobs: Jobs
  keys: ApiKeys
  sealing: Sealing
  admission: Admission
  config: Config
  log: Logger
}

/**
 * The account service, and the check of access tokens that the other protocols share with it.
 * Errors: SetupError when the owner's own signing keys cannot be read.
 */
export async function openAccounts({ db, jobs, keys, sealing, admission, config, log }: AccountDeps) {
  const settings = authSettings(config)
  const keySet = await openKeySet(db, sealing, await readSigningKeys(config.auth.signingKeysFile))
  const tokens = createAccessTokens(keySet, {
    issuer: settings.issuer,
    lifetimeSeconds: config.auth.jwtExpirySeconds,
  })
  const ended = await watchEndedTokens(db, config.auth.jwtExpirySeconds, log)
  const mailer = openMailer(
    { smtpUrl: config.smtpUrl, dataDir: config.dataDir, from: config.contactEmail },
    log,
  )
  const sms = openSms(config.auth.sms.sender, config.dataDir, log)
  return {
    auth: createAuth({ db, jobs, keys, keySet, sealing, tokens, mailer, sms, settings, admission, log }),
    verifyToken: unlessEnded(tokens.verify, ended),
  }
}

const authSettings = ({ auth, siteUrl, trustedProxies }: Config): AuthSettings => ({
  issuer: `${siteUrl}/auth/v1`,
  siteUrl,
  redirectUrls: auth.redirectUrls,
  disableSignup: auth.disableSignup,
  autoconfirm: auth.autoconfirm,
  anonymous: auth.anonymous,
  manualLinking: auth.manualLinking,
  providers: auth.providers,
  saml: auth.saml,
  samlIdpInitiated: auth.samlIdpInitiated,
  password: auth.password,
  reauthenticate: auth.reauthenticate,
  sessions: auth.sessions,
  mailInterval: auth.emailIntervalSeconds,
  mailsPerHour: auth.emailsPerHour,
  smsPerHour: auth.smsPerHour,
  rateLimits: auth.rateLimits,
  trustedProxies,
  captcha: auth.captcha,
  testOtps: auth.sms.testOtps,
})

const PrivateKey = z.looseObject({ kty: z.enum(['EC', 'RSA']), d: z.string() })
/** A JWK set, or a bare list as the Supabase CLI writes it. */
const KeyFile = z.union([
  z.object({ keys: z.array(PrivateKey) }).transform((set) => set.keys),
  z.array(PrivateKey),
])

async function readSigningKeys(file: string | undefined): Promise<JWK[]> {
  if (!file) return []
  try {
    const keys = KeyFile.parse(JSON.parse(await readFile(file, 'utf8'))) as JWK[]
    await Promise.all(keys.map(importSigningKey))
    return keys
  } catch (cause) {
    const message = `AUTH_SIGNING_KEYS names a file (${file}) that holds no list of private ES256 or RS256 keys as JWK.`
    throw new SetupError(message, { cause })
  }
}
