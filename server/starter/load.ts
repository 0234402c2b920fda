import { createHash, randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Database, Transaction } from '#server/database/port.ts'
import type { Files } from '#server/files/port.ts'
import type { PreparedMedia, PreparedResource } from './prepare.ts'
import { readLibrary } from './read-library.ts'

interface Deps {
  db: Database
  files: Files
  log: Logger
  folder: string
}

/**
 * Loads the starter library into a library that has never held anything: all of it in one transaction, or nothing.
 * A library that its owner emptied stays empty. Returns how many resources were added.
 */
export async function loadStarterLibrary({ db, files, log, folder }: Deps): Promise<number> {
  if (!(await db.asOwner('is the library untouched?', isUntouched))) return 0
  // Image and audio tools are worth 50 MB of memory, and are needed at the first start only.
  const { prepare } = await import('./prepare.ts')
  const resources = await Promise.all((await readLibrary(folder)).map(prepare))
  const written: string[] = []
  try {
    const count = await db.asOwner('load the starter library', async (tx) => {
      if (!(await isUntouched(tx))) return 0 // Another process was faster.
      for (const resource of resources) {
        const version = randomUUID()
        written.push(version)
        await files.write(version, resource.media.bytes)
        await insertObject(tx, resource.media, version)
        await insertResource(tx, resource)
      }
      return resources.length
    })
    if (count > 0) log.info({ count }, 'starter library loaded')
    return count
  } catch (error) {
    await Promise.all(written.map((version) => files.remove(version)))
    throw error
  }
}

/** Version 1 means: no row was ever added, changed or removed. The lock makes two starting processes take turns. */
async function isUntouched(tx: Transaction): Promise<boolean> {
  const { rows } = await tx.query<{ version: number }>(
    'select version from public.content_version for update',
  )
  return Number(rows[0]?.version) === 1
}

async function insertObject(tx: Transaction, media: PreparedMedia, version: string): Promise<void> {
  const { bytes } = media
  const metadata = {
    eTag: `"${createHash('md5').update(bytes).digest('hex')}"`,
    size: bytes.length,
    mimetype: media.type,
    cacheControl: 'max-age=3600',
    lastModified: new Date().toISOString(),
    contentLength: bytes.length,
    httpStatusCode: 200,
  }
  await tx.query('insert into storage.objects (bucket_id, name, version, metadata) values ($1, $2, $3, $4)', [
    media.bucket,
    media.name,
    version,
    JSON.stringify(metadata),
  ])
}

async function insertResource(tx: Transaction, { row }: PreparedResource): Promise<void> {
  await tx.query(
    `insert into public.resources
       (id, title, description, category, date, grade, gender, location, public, featured,
        image_url, image_alt, "audioUrl", article_content, duration)
     select id, title, description, category, date, grade, gender, location, public, featured,
        image_url, image_alt, "audioUrl", article_content, duration
     from json_populate_record(null::public.resources, $1)`,
    [JSON.stringify(row)],
  )
}
