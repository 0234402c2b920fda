import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import memory from '../../tools/setup/memory.json' with { type: 'json' }
import { mp3 } from './samples.ts'
import { freePort } from './server-process.ts'
import { startSmtp } from './smtp.ts'

/** What a kill hits: the service's process alone, its process group, or everything that it ever started. */
export const victims = ['service', 'group', 'family'] as const
type Victim = (typeof victims)[number]

interface Options {
  kills: number
  /** Settings of the service beyond those that every run has. */
  env?: Record<string, string>
  /** A kill falls somewhere within this time after the service was ready again. */
  upToMs: number
  /** Called after each kill, once the service is back. */
  onKill?: (kill: number, victim: Victim, restartMs: number) => void
}

/** What was promised, and what of it is not there. */
export interface KillReport {
  acknowledged: { rows: number; files: number; mails: number }
  lost: { rows: string[]; files: string[]; mails: string[] }
  /** What `npm run storage -- check` says of rows that have no bytes. */
  rowsWithoutBytes: string
  restartMs: number[]
}

const root = join(import.meta.dirname, '../..')
const keys = { publishable: 'sb_publishable_for_the_tests', secret: 'sb_secret_for_the_tests' }
const WRITERS = 3

/**
 * Kills the service (SIGKILL) again and again while rows, files and mails are written, starts it anew on the same data
 * each time, and compares at the end what was acknowledged with what is there. Everything is real: our own PostgreSQL,
 * files on disk, an SMTP server.
 */
export async function killAgainAndAgain({
  kills,
  upToMs,
  onKill,
  env: more = {},
}: Options): Promise<KillReport> {
  const dataDir = await mkdtemp(join(tmpdir(), 'walking-together-kills-'))
  const smtp = await startSmtp()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    ...{ PORT: String(port), SITE_URL: url, DATA_DIR: dataDir, SMTP_URL: smtp.url, LOG_LEVEL: 'warn' },
    ...{ SUPABASE_PUBLISHABLE_KEY: keys.publishable, SUPABASE_SECRET_KEY: keys.secret },
    ...{ STARTER_CONTENT: 'off', REST_MAX_ROWS: '1000000', BACKUP_AT: 'off' },
    ...{ AUTH_RATE_LIMITS: 'off', AUTH_RATE_LIMIT_EMAIL_SENT: '1000000', ...more },
  }
  let service = launch(env)
  let isOver = false
  const restartMs: number[] = []
  try {
    await ready(service, url)
    const writers = Array.from({ length: WRITERS }, () => writeUntil(url, () => isOver))
    for (let kill = 0; kill < kills; kill++) {
      await pause(Math.random() * upToMs)
      const victim = victims[kill % victims.length] ?? 'service'
      await end(service, victim)
      const began = performance.now()
      service = launch(env)
      await ready(service, url)
      restartMs.push(performance.now() - began)
      onKill?.(kill, victim, restartMs.at(-1) ?? 0)
    }
    isOver = true
    const written = together(await Promise.all(writers))
    const lost = { ...(await missing(url, written)), mails: await neverSent(written.mails, smtp.mails) }
    return {
      acknowledged: { rows: written.rows.length, files: written.files.size, mails: written.mails.length },
      lost,
      rowsWithoutBytes: await storageCheck(env),
      restartMs,
    }
  } finally {
    isOver = true
    await end(service, 'family')
    await smtp.stop()
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
  }
}

interface Service {
  process: ChildProcess
  output(): string
}

/** A process group of its own, so that it can be killed as one. */
function launch(env: Record<string, string>): Service {
  const { PATH = '', HOME = '', TMPDIR = tmpdir() } = process.env
  const inherited = { PATH, HOME, TMPDIR, NODE_ENV: 'production' }
  const child = spawn(process.execPath, [...memory.flags, 'server/main.ts'], {
    ...{ cwd: root, detached: true, env: { ...inherited, ...memory.env, ...env } },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let written = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      written = (written + chunk).slice(-20_000)
    })
  return { process: child, output: () => written }
}

async function ready({ process: child, output }: Service, url: string): Promise<void> {
  const deadline = Date.now() + 60_000
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`The service ended with ${child.exitCode}:\n${output()}`)
    if ((await fetch(`${url}/readyz`).catch(() => undefined))?.ok) return
    await pause(20)
  }
  throw new Error(`The service was not ready in time:\n${output()}`)
}

async function end({ process: child }: Service, victim: Victim): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const family = victim === 'family' ? await descendants(child.pid) : []
  for (const pid of [victim === 'service' ? child.pid : -child.pid, ...family]) kill(pid)
  await ended
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended by itself in the meantime.
  }
}

/** All processes below one, from what the kernel says of parents. */
async function descendants(pid: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const parents = await Promise.all(
    pids.map(async (candidate) => {
      const stat = await readFile(`/proc/${candidate}/stat`, 'utf8').catch(() => '')
      return [candidate, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])] as const
    }),
  )
  const below = (parent: number): number[] =>
    parents.filter(([, of]) => of === parent).flatMap(([child]) => [child, ...below(child)])
  return below(pid)
}

interface Written {
  rows: string[]
  files: Map<string, string>
  mails: string[]
}

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const headers = { apikey: keys.secret, authorization: `Bearer ${keys.secret}` }

/** One writer: a row, a file and a mail in turn. Only what was answered with success counts as promised. */
async function writeUntil(url: string, isOver: () => boolean): Promise<Written> {
  const written: Written = { rows: [], files: new Map(), mails: [] }
  const promised = (path: string, body: BodyInit, type: string): Promise<boolean> =>
    fetch(url + path, { method: 'POST', body, headers: { ...headers, 'content-type': type } }).then(
      async (answer) => {
        await answer.arrayBuffer()
        return answer.ok
      },
      () => false,
    )
  while (!isOver()) {
    const id = randomUUID()
    const row = JSON.stringify({ id, title: id, description: 'Kept', category: 'webinar' })
    if (await promised('/rest/v1/resources', row, 'application/json')) written.rows.push(id)
    const bytes = Buffer.concat([mp3, randomBytes(50_000)])
    const path = `resource-audio/${id}.mp3`
    if (await promised(`/storage/v1/object/audio/${path}`, bytes, 'audio/mpeg'))
      written.files.set(path, digest(bytes))
    const email = `${id}@example.org`
    if (await promised('/auth/v1/invite', JSON.stringify({ email }), 'application/json'))
      written.mails.push(email)
    await pause(20)
  }
  return written
}

const together = (parts: readonly Written[]): Written => ({
  rows: parts.flatMap(({ rows }) => rows),
  files: new Map(parts.flatMap(({ files }) => [...files])),
  mails: parts.flatMap(({ mails }) => mails),
})

async function missing(url: string, { rows, files }: Written) {
  const answer = await fetch(`${url}/rest/v1/resources?select=id`, { headers })
  const there = new Set(((await answer.json()) as Array<{ id: string }>).map(({ id }) => id))
  const lostFiles: string[] = []
  for (const [path, expected] of files) {
    const file = await fetch(`${url}/storage/v1/object/public/audio/${path}`)
    if (digest(new Uint8Array(await file.arrayBuffer())) !== expected) lostFiles.push(path)
  }
  return { rows: rows.filter((id) => !there.has(id)), files: lostFiles }
}

const MAILS_WITHIN_MS = 120_000

/** Waits until every promised mail has come, or for two minutes; those that have not. */
async function neverSent(
  promised: readonly string[],
  mails: ReadonlyArray<{ to?: unknown }>,
): Promise<string[]> {
  const deadline = Date.now() + MAILS_WITHIN_MS
  for (;;) {
    const arrived = new Set(mails.map(({ to }) => (to as { text?: string } | undefined)?.text))
    const waiting = promised.filter((email) => !arrived.has(email))
    if (waiting.length === 0 || Date.now() > deadline) return waiting
    await pause(250)
  }
}

/** The line of the check that counts rows without bytes. */
async function storageCheck(env: Record<string, string>): Promise<string> {
  const check = spawn(process.execPath, ['tools/storage.ts', 'check'], {
    ...{ cwd: root, env: { PATH: process.env.PATH ?? '', ...env } },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  check.stdout.on('data', (chunk) => {
    said += chunk
  })
  await new Promise((resolve) => check.once('close', resolve))
  return said.split('\n').find((line) => line.startsWith('Rows whose bytes are lost')) ?? said
}
