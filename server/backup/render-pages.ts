import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '#server/database/embedded/address.ts'
import { VerificationFailed } from './manifest.ts'
import { openSession } from './session.ts'

/** An address of the restored site, and what its answer must hold. */
interface PageToRender {
  what: string
  path: string
  /** A text of the page; undefined: bytes of that type. */
  shows?: string
  type: string
}

export interface RenderedPage {
  what: string
  path: string
}

const root = join(import.meta.dirname, '../..')
const READY_WITHIN_MS = 120_000
const ANSWER_WITHIN_MS = 30_000

/** Home and listing, and one article and one picture if there are any. */
export async function pagesToRender(databaseUrl: string): Promise<PageToRender[]> {
  const session = await openSession(databaseUrl, 'snapshot')
  try {
    const { rows: articles } = await session.tx.query<{ id: string; title: string }>(
      `select id, title from public.resources where public and category = 'reading' order by date desc nulls last, id limit 1`,
    )
    const { rows: pictures } = await session.tx.query<{ name: string }>(
      `select name from storage.objects where bucket_id = 'images' and metadata ->> 'mimetype' like 'image/%' order by name limit 1`,
    )
    return [
      { what: 'home', path: '/', shows: '<h1', type: 'text/html' },
      { what: 'listing', path: '/resources', shows: '<h1', type: 'text/html' },
      ...articles.map(({ id, title }) => ({
        what: 'article',
        path: `/resource/${id}`,
        shows: title,
        type: 'text/html',
      })),
      ...pictures.map(({ name }) => ({
        what: 'picture',
        path: `/storage/v1/object/public/images/${name.split('/').map(encodeURIComponent).join('/')}`,
        type: 'image/',
      })),
    ]
  } finally {
    await session.close()
  }
}

/**
 * Starts the service on a data folder, on a port of this machine alone and with settings of its own: it sends nothing, backs
 * up nothing, and asks no other server. Errors: VerificationFailed, with what it said.
 */
export async function renderPages(dataDir: string, pages: readonly PageToRender[]): Promise<RenderedPage[]> {
  const url = `http://127.0.0.1:${await freePort()}`
  const service = startService(dataDir, url)
  try {
    await ready(url, service)
    for (const page of pages) await render(url, page)
    return pages.map(({ what, path }) => ({ what, path }))
  } finally {
    await service.stop()
  }
}

function startService(dataDir: string, url: string) {
  const { PATH = '', HOME = '', TMPDIR = '' } = process.env
  const child = spawn(process.execPath, [join(root, 'server/main.ts')], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...{ PATH, HOME, ...(TMPDIR && { TMPDIR }) },
      ...{
        NODE_ENV: 'production',
        HOST: '127.0.0.1',
        PORT: new URL(url).port,
        SITE_URL: url,
        DATA_DIR: dataDir,
      },
      ...{ BACKUP_AT: 'off', STARTER_CONTENT: 'off', LOG_LEVEL: 'warn' },
    },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-4000)
    })
  }
  return { child, said: () => said, stop: () => end(child) }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}

async function ready(url: string, { child, said }: ReturnType<typeof startService>): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new VerificationFailed(`The service does not start on it: ${said()}`)
    const answer = await fetch(`${url}/readyz`).catch(() => undefined)
    if (answer?.ok) return
    await pause(100)
  }
  throw new VerificationFailed(`The service did not get ready on it: ${said()}`)
}

async function render(url: string, { what, path, shows, type }: PageToRender): Promise<void> {
  const answer = await fetch(url + path, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
  const bytes = Buffer.from(await answer.arrayBuffer())
  const isRight = answer.ok && answer.headers.get('content-type')?.startsWith(type) && bytes.length > 0
  const isShown = shows === undefined || decodeEntities(bytes.toString('utf8')).includes(shows)
  if (!isRight || !isShown)
    throw new VerificationFailed(`The ${what} (${path}) answers ${answer.status} and is not as it should be.`)
}

/** Those that React writes. */
const decodeEntities = (html: string): string =>
  html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')
