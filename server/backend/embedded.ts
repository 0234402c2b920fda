import { Hono } from 'hono'
import type { Logger } from 'pino'
import { EMAIL_QUEUE } from '#server/auth/emails.ts'
import { accountHousekeeping } from '#server/auth/housekeeping.ts'
import { refreshStaleMetadata } from '#server/auth/saml/metadata.ts'
import { scheduleNightlyBackup } from '#server/backup/nightly.ts'
import type { Config } from '#server/config/config.ts'
import { openServiceDatabase } from '#server/database/open.ts'
import { openFiles } from '#server/files/open.ts'
import type { Admission, PageBindings } from '#server/http/admission.ts'
import { type HousekeepingTask, scheduleHousekeeping } from '#server/jobs/housekeeping.ts'
import { openJobs } from '#server/jobs/open.ts'
import { readFigures } from '#server/metrics/figures.ts'
import { createRest } from '#server/rest/index.ts'
import { watchDatabase } from '#server/site/content-watch.ts'
import { loadStarterLibrary } from '#server/starter/load.ts'
import { purgeQuarantine } from '#server/storage/check/quarantine.ts'
import { createStorage } from '#server/storage/index.ts'
import { agreeOnPlace } from '#server/storage/installation.ts'
import { removeAbandonedUploads } from '#server/storage/resumable/abandoned.ts'
import { purgeRetiredBytes } from '#server/storage/stored-bytes.ts'
import { agreeOnApiKeys } from '#server/tokens/api-keys.ts'
import { openSealing, sealWhatIsOpen } from '#server/tokens/encryption.ts'
import { openAccounts } from './accounts.ts'
import { ensureAdmin } from './first-admin.ts'
import { inProcessFetch } from './in-process-fetch.ts'
import type { Backend } from './port.ts'
import { writeProductSettings } from './product-settings.ts'

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
