import { readFile } from 'node:fs/promises'
import { Hono } from 'hono'
import type { JWK } from 'jose'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { AuthSettings } from '#server/auth/context.ts'
import { EMAIL_QUEUE } from '#server/auth/emails.ts'
import { accountHousekeeping } from '#server/auth/housekeeping.ts'
import { createAuth } from '#server/auth/index.ts'
import { refreshStaleMetadata } from '#server/auth/saml/metadata.ts'
import { openSms } from '#server/auth/sms.ts'
import { scheduleNightlyBackup } from '#server/backup/nightly.ts'
import type { Config } from '#server/config/config.ts'
import { SetupError } from '#server/config/env.ts'
import { openServiceDatabase } from '#server/database/open.ts'
import type { Database } from '#server/database/port.ts'
import { openFiles } from '#server/files/open.ts'
import type { Files } from '#server/files/port.ts'
import type { Admission, PageBindings } from '#server/http/admission.ts'
import { type HousekeepingTask, scheduleHousekeeping } from '#server/jobs/housekeeping.ts'
import { openJobs } from '#server/jobs/open.ts'
import type { Jobs } from '#server/jobs/port.ts'
import { openMailer } from '#server/mail/mailer.ts'
import { readFigures } from '#server/metrics/serve.ts'
import { createRest } from '#server/rest/index.ts'
import { watchDatabase } from '#server/site/content-watch.ts'
import { loadStarterLibrary } from '#server/starter/load.ts'
import { agreeOnPlace } from '#server/storage/check/installation.ts'
import { purgeQuarantine } from '#server/storage/check/quarantine.ts'
import { createStorage } from '#server/storage/index.ts'
import { removeAbandonedUploads } from '#server/storage/resumable/uploads.ts'
import { purgeRetiredBytes } from '#server/storage/stored-bytes.ts'
import { createAccessTokens, unlessEnded, watchEndedTokens } from '#server/tokens/access-tokens.ts'
import { type ApiKeys, agreeOnApiKeys } from '#server/tokens/api-keys.ts'
import { openSealing, type Sealing, sealWhatIsOpen } from '#server/tokens/encryption.ts'
import { importSigningKey, openKeySet } from '#server/tokens/signing-keys.ts'
import { ensureAdmin } from './first-admin.ts'
import type { Backend } from './port.ts'

const starterFolder = `${import.meta.dirname}/../../content`

/**
 * Our own protocol servers over a migrated database, with the starter library in it when nothing ever was.
 * Errors: those of `openServiceDatabase`, and what files may throw.
 */
export async function openEmbedded(config: Config, admission: Admission, log: Logger): Promise<Backend> {
  const { db, close: closeDatabase } = await openServiceDatabase(config, log)
  await writeProductSettings(db, config.admin)
  const files = await openFiles(config.storageUrl)
  await agreeOnPlace(db, files)
  const sealing = await openSealing(db, config.dataDir, config.encryptionKey)
  const keys = await agreeOnApiKeys(db, sealing, { dataDir: config.dataDir, given: config.keys })
  const sealed = await sealWhatIsOpen(db, sealing, keys.secret)
  if (sealed > 0) log.info({ sealed }, 'secrets in the database are sealed now')
  if (config.starterContent) await loadStarterLibrary({ db, files, log, folder: starterFolder })

  const newAdmin = await ensureAdmin(db, { ...config.admin, autoconfirm: config.auth.autoconfirm })
  const jobs = openJobs(db, log)
  const { auth, verifyToken } = await openAccounts({ db, jobs, keys, sealing, admission, config, log })

  scheduleUpkeep({ db, files, jobs, config, log })
  await jobs.start()

  let seeOwnChange = async () => {}
  const protocols = new Hono()
  protocols.route('/auth/v1', auth)
  protocols.route(
    '/rest/v1',
    createRest({
      db,
      keys,
      settings: config.rest,
      verifyToken,
      admission,
      onChange: () => seeOwnChange(),
      log,
    }),
  )
  protocols.route('/storage/v1', createStorage({ db, files, keys, verifyToken, admission, log }))
  return {
    protocols,
    apiUrl: config.siteUrl,
    publishableKey: keys.publishable,
    newAdmin,
    // The same handlers that browsers reach, without a socket.
    fetchFor: (client) => inProcessFetch(protocols, { pageOf: client } satisfies PageBindings),
    ready: async () => {
      await db.asOwner('readiness', (tx) => tx.query('select 1'), { single: true })
    },
    figures: () => readFigures({ db, emailQueue: EMAIL_QUEUE }),
    async watchContent(observer) {
      const watch = await watchDatabase(db, observer)
      seeOwnChange = watch.seeOwnChange
      return watch
    },
    close: async () => {
      await jobs.stop()
      await closeDatabase()
    },
  }
}

interface UpkeepDeps {
  db: Database
  files: Files
  jobs: Jobs
  config: Config
  log: Logger
}

/** What is done by itself, at its time. */
function scheduleUpkeep({ db, files, jobs, config, log }: UpkeepDeps): void {
  const housekeeping: HousekeepingTask[] = [
    ...accountHousekeeping(db, config.auth.sessions),
    { name: 'abandoned uploads', run: () => removeAbandonedUploads({ db, files, log }) },
    { name: 'bytes of replaced and deleted files', run: () => purgeRetiredBytes(db, files) },
    { name: 'quarantined files', run: () => purgeQuarantine(db, files) },
  ]
  scheduleHousekeeping(jobs, housekeeping, log)
  if (config.auth.saml)
    jobs.schedule('saml-metadata', { cron: '7 * * * *' }, async () => {
      await refreshStaleMetadata({ db, log, now: Date.now })
    })
  scheduleNightlyBackup(jobs, config, log)
}

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

/**
 * `fetch` that reaches handlers without a socket. As with a socket, whoever aborts waits no longer, and the handlers
 * learn of it by their request's signal. `bindings` are what handlers find in `c.env`. Errors: the reason of the signal.
 */
export const inProcessFetch =
  (handlers: Hono, bindings: object = {}): typeof fetch =>
  async (input, init) => {
    const request = new Request(input, init)
    const { signal } = request
    signal.throwIfAborted()
    const { promise: aborted, reject } = Promise.withResolvers<never>()
    const giveUp = () => reject(signal.reason)
    signal.addEventListener('abort', giveUp, { once: true })
    return Promise.race([handlers.fetch(request, bindings), aborted]).finally(() =>
      signal.removeEventListener('abort', giveUp),
    )
  }

/** Tells the database what its policies have to know of the owner's choices (supabase/migrations/20261120000800). */
export async function writeProductSettings(
  db: Database,
  { requireMfa }: Pick<Config['admin'], 'requireMfa'>,
) {
  await db.asOwner('settings of the policies', (tx) =>
    tx.query(
      `insert into private.settings (name, value) values ('admin_require_mfa', $1)
       on conflict (name) do update set value = excluded.value where settings.value <> excluded.value`,
      [requireMfa],
    ),
  )
}
