import { StorageClient } from '@supabase/storage-js'
import { Hono } from 'hono'
import { pino } from 'pino'
import type { Database } from '#server/database/port.ts'
import type { Files } from '#server/files/port.ts'
import { createStorage } from '#server/storage/index.ts'
import { purgeRetiredBytes } from '#server/storage/stored-bytes.ts'
import { TokenRefused, type VerifyToken } from '#server/tokens/authenticate.ts'
import { openTestDatabase } from './databases.ts'
import { fileStores, listOf, type TestFiles } from './files.ts'

export const keys = { publishable: 'sb_publishable_for_tests', secret: 'sb_secret_for_tests' }

export const ids = {
  member: '00000000-0000-4000-8000-000000000001',
  admin: '00000000-0000-4000-8000-000000000003',
}
export type Who = 'visitor' | 'service' | keyof typeof ids

/** Takes `token-of-member` and `token-of-admin`: real tokens are the business of /auth/v1. */
export const verifyToken: VerifyToken = async (token) => {
  if (token === 'token-too-old') throw new TokenRefused('too old', { expired: true })
  const who = /^token-of-(member|admin)$/.exec(token)?.[1] as keyof typeof ids | undefined
  if (!who) throw new TokenRefused('not a token')
  return { sub: ids[who], role: 'authenticated' }
}

const bearers: Record<Who, string> = {
  visitor: keys.publishable,
  service: keys.secret,
  member: 'token-of-member',
  admin: 'token-of-admin',
}

export const headersOf = (who: Who): Record<string, string> => ({
  apikey: who === 'service' ? keys.secret : keys.publishable,
  authorization: `Bearer ${bearers[who]}`,
})

const DAY_MS = 24 * 3_600_000
const url = 'http://site.test/storage/v1'

/** /storage/v1 over a database and files of its own, with one account of each kind and a private bucket `vault`. */
export interface TestStorage {
  db: Database
  files: Files
  fetch: (request: Request) => Response | Promise<Response>
  /** What the server declares, below where it is mounted. */
  routes: ReadonlyArray<{ method: string; path: string }>
  /** The unmodified client, signed in as somebody. */
  as(who: Who): StorageClient
  /** A request that the client would not make. */
  request(path: string, init?: RequestInit & { who?: Who | 'nobody' }): Promise<Response>
  /** The keys of all bytes that are kept, once the time of those that nobody needs any more is over. */
  storedKeys(): Promise<string[]>
  close(): Promise<void>
}

type Opener = readonly [name: string, open: () => Promise<TestStorage>]

/** For `describe.each`: over each kind of file store. */
export const storages: readonly [Opener, Opener] = [
  ['disk', () => openStorage(fileStores[0][1])],
  ['S3', () => openStorage(fileStores[1][1])],
]

async function openStorage(openFiles: () => Promise<TestFiles>): Promise<TestStorage> {
  const db = await openTestDatabase()
  const { files, remove } = await openFiles()
  await db.asOwner('inhabitants', (tx) => tx.script(inhabitants))
  return {
    ...serveStorage(db, files),
    async close() {
      await db.close()
      await remove()
    },
  }
}

/** The protocol server alone, over whatever database and files. */
export function serveStorage(db: Database, files: Files): Omit<TestStorage, 'close'> {
  const log = pino({ level: 'silent' })
  const app = new Hono().route('/storage/v1', createStorage({ db, files, keys, verifyToken, log }))
  const fetch = async (input: RequestInfo | URL, init?: RequestInit) => app.fetch(new Request(input, init))
  return {
    db,
    files,
    routes: app.routes,
    fetch,
    as: (who) => new StorageClient(url, headersOf(who), fetch),
    request: (path, { who = 'admin', ...init } = {}) =>
      fetch(url + path, {
        ...init,
        headers: { ...(who !== 'nobody' && headersOf(who)), ...(init.headers as Record<string, string>) },
      }),
    async storedKeys() {
      await purgeRetiredBytes(db, files, new Date(Date.now() + 8 * DAY_MS))
      const found = await listOf(files)
      return found.map(({ key, whole }) => (whole ? key : `half of ${key}`)).sort()
    },
  }
}

const inhabitants = `
  insert into auth.users (id, email) values ('${ids.member}', 'member@example.org'), ('${ids.admin}', 'admin@example.org');
  update public.users set role = 'admin' where id = '${ids.admin}';
  insert into storage.buckets (id, name, public) values ('vault', 'vault', false);
`
