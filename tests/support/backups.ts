import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pino } from 'pino'
import type { Source } from '#server/backup/dump.ts'
import type { Target } from '#server/backup/restore.ts'
import { columnList, openSession, tableName, tablesToKeep } from '#server/backup/session.ts'
import { openDatabase } from '#server/database/open.ts'
import type { Database } from '#server/database/port.ts'
import { createSealing, sealedAs } from '#server/tokens/encryption.ts'
import { databaseUrl, onServer, TEMPLATE } from './databases.ts'
import { fileStores } from './files.ts'

const log = pino({ level: 'silent' })

/** A database, a place for files and a data folder, as a backup sees them. */
export interface TestPlace extends Target, Source {
  db: Database
  encryptionKey: Buffer
  /** Whom it is owned by: rows by the login of the service, which need not be superuser. */
  remove(): Promise<void>
}

interface PlaceOptions {
  files?: 'disk' | 's3'
  /** The database that it starts as a copy of; `template0` is empty. */
  template?: string
  /** Not superuser, as on a managed PostgreSQL. */
  ordinaryLogin?: boolean
}

export async function openPlace({
  files: kind = 'disk',
  template = TEMPLATE,
  ordinaryLogin = false,
}: PlaceOptions = {}): Promise<TestPlace> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await onServer(`create database ${name} template ${template}`)
  const url = new URL(databaseUrl(name))
  const login = `login_${name}`
  if (ordinaryLogin) {
    await onServer(`create role ${login} login password 'ordinary' createrole nosuperuser`)
    await onServer(`grant anon, authenticated, service_role to ${login}`)
    await onServer(`alter database ${name} owner to ${login}`)
    url.username = login
    url.password = 'ordinary'
  }
  const store = await fileStores[kind === 'disk' ? 0 : 1][1]()
  const dataDir = await mkdtemp(join(tmpdir(), 'walking-together-'))
  const db = await openDatabase({ kind: 'postgres', url: url.href }, log)
  const encryptionKey = randomBytes(32)
  const keys = new Map([['encryption.key', Buffer.from(`${encryptionKey.toString('base64')}\n`)]])
  return {
    databaseUrl: url.href,
    files: store.files,
    dataDir,
    encryptionKey,
    keys,
    release: '0.0.0-test',
    db,
    async remove() {
      await db.close()
      await store.remove()
      await rm(dataDir, { recursive: true, force: true })
      await onServer(`drop database if exists ${name} with (force)`)
      if (ordinaryLogin) await onServer(`drop role ${login}`)
    },
  }
}

/** What was put into a place. */
export interface Contents {
  userId: string
  resourceId: string
  /** Of stored bytes, by their keys. */
  sha256: Map<string, string>
}

/** An admin with a session, a sealed secret, a trashed resource, rows that are hard to write, and stored bytes. */
export async function fill(place: TestPlace, { sizes = [10, 0, 9_000_000] } = {}): Promise<Contents> {
  const [userId, resourceId] = [randomUUID(), randomUUID()]
  const sha256 = new Map<string, string>()
  const sealed = createSealing(place.encryptionKey).seal(
    'JBSWY3DPEHPK3PXP',
    sealedAs('auth.mfa_factors.secret', userId),
  )
  await place.db.asOwner('test', async (tx) => {
    await tx.query(
      `insert into auth.users (id, email, encrypted_password, email_confirmed_at, raw_user_meta_data)
       values ($1, $2, '$2b$10$hash', now(), $3)`,
      [userId, `${userId}@example.org`, JSON.stringify({ name: 'Zoë "the\ttab" \\N\nNewline 👩‍👧' })],
    )
    await tx.query(`update public.users set role = 'admin' where id = $1`, [userId])
    await tx.query(`insert into auth.sessions (id, user_id, ip) values ($1, $1, '192.0.2.7')`, [userId])
    await tx.query(
      `insert into auth.refresh_tokens (token, user_id, session_id) values ($1::text, $1::text, $1::uuid)`,
      [userId],
    )
    await tx.query(
      `insert into auth.mfa_factors (id, user_id, factor_type, status, secret, created_at, updated_at)
       values ($1, $1, 'totp', 'verified', $2, now(), now())`,
      [userId, sealed],
    )
    for (const id of [resourceId, randomUUID()]) {
      await tx.query(
        `insert into public.resources (id, title, description, category, article_content, grade)
         values ($1, $2, 'described', 'reading', $3, '3-5')`,
        [id, `Title of ${id}`, '<p>long</p>'.repeat(2_000)],
      )
      if (id !== resourceId) await tx.query('delete from public.resources where id = $1', [id])
    }
    await tx.query(`update public.users set "savedResources" = array[$2]::uuid[] where id = $1`, [
      userId,
      resourceId,
    ])
  })
  for (const size of sizes) {
    const key = randomUUID()
    const bytes = randomBytes(size)
    await place.files.write(key, bytes)
    sha256.set(key, digest(bytes))
    await place.db.asOwner('test', (tx) =>
      tx.query(
        `insert into storage.objects (bucket_id, name, version, metadata) values ('images', $1, $1, $2)`,
        [key, JSON.stringify({ size })],
      ),
    )
  }
  return { userId, resourceId, sha256 }
}

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** What every table that a backup keeps holds, as digests; sealed values and the place's own id differ everywhere. */
export async function tableDigests({
  databaseUrl: url,
}: Pick<TestPlace, 'databaseUrl'>): Promise<Record<string, string>> {
  const session = await openSession(url, 'snapshot')
  try {
    const digests: Record<string, string> = {}
    for (const table of await tablesToKeep(session.tx)) {
      const columns = table.columns.filter((column) => column !== 'secret')
      const rows = `select ${columnList(columns)} from ${tableName(table)}`
      const text = await buffer(
        session.copyOut(`copy (select line from (${rows}) line order by line::text) to stdout`),
      )
      if (table.name !== 'installation') digests[`${table.schema}.${table.name}`] = digest(text)
    }
    return digests
  } finally {
    await session.close()
  }
}

/** Digests of all stored bytes, by their keys. */
export async function fileDigests({ files }: Pick<TestPlace, 'files'>): Promise<Map<string, string>> {
  const digests = new Map<string, string>()
  for await (const { key } of files.list()) {
    digests.set(key, digest(await buffer((await files.read(key)) as unknown as AsyncIterable<Uint8Array>)))
  }
  return new Map([...digests].sort())
}
