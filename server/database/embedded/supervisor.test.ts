import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  ask,
  isAlive,
  postmasterOf,
  spawnHolder,
  start,
  startElsewhere,
  temporaryFolders,
} from '#tests/support/own-database.ts'
import { chooseAddress, freePort } from './address.ts'
import { runOwnPostgres } from './supervisor.ts'

const patiently = { timeout: 120_000 }
const folders = temporaryFolders()
afterAll(() => folders.removeAll())

/** A data folder with a stopped database that holds one row; tests work on copies. */
let original: string
beforeAll(async () => {
  original = await folders.make()
  const { url, stop } = await start(original)
  await ask(url, 'create table kept as select 1 as id')
  await stop()
})

const gone = (pid: number) => expect.poll(() => isAlive(pid), { timeout: 30_000 }).toBe(false)

/** The shell that would stop PostgreSQL, and its helper. */
async function killKeeper(postmaster: number): Promise<void> {
  const status = await readFile(`/proc/${postmaster}/status`, 'utf8')
  const keeper = Number(/^PPid:\s+(\d+)$/m.exec(status)?.[1])
  const { stdout } = await promisify(execFile)('ps', ['-o', 'pid=', '--ppid', String(keeper)])
  for (const pid of [keeper, ...stdout.split('\n').map(Number)]) {
    if (pid > 1 && pid !== postmaster) process.kill(pid, 'SIGKILL')
  }
}

describe('our own PostgreSQL', patiently, () => {
  it('promises what a commit should promise, and is closed to others', async () => {
    const dataDir = await folders.copyOf(original)
    const { url, stop } = await start(dataDir)
    const names = ['fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums', 'listen_addresses']
    const asked = names.map((name) => `current_setting('${name}') as ${name}`)
    expect(await ask(url, `select ${asked}`)).toEqual([
      {
        fsync: 'on',
        full_page_writes: 'on',
        synchronous_commit: 'on',
        data_checksums: 'on',
        listen_addresses: '',
      },
    ])
    const methods = 'select distinct auth_method from pg_hba_file_rules'
    expect(await ask(url, methods)).toEqual([{ auth_method: 'scram-sha-256' }])
    const mode = async (name: string) =>
      ((await stat(join(dataDir, 'postgres', name))).mode & 0o777).toString(8)
    expect(await Promise.all(['password', 'cluster', 'run', 'address.json'].map(mode))).toEqual([
      '600',
      '700',
      '700',
      '600',
    ])
    const wrong = new URL(url)
    wrong.password = 'guessed'
    await expect(ask(wrong.href, 'select 1')).rejects.toThrow('password authentication failed')
    await stop()
    await expect(ask(url, 'select 1')).rejects.toThrow()
  })

  it('orders and folds text alike on every machine', async () => {
    const { url, stop } = await start(await folders.copyOf(original))
    const rows = await ask(
      url,
      `select upper('äé') as upper, lower('ÄÉ') as lower, array(select t from unnest('{b,B,a,ä}'::text[]) t order by t) as sorted`,
    )
    expect(rows).toEqual([{ upper: 'ÄÉ', lower: 'äé', sorted: ['B', 'a', 'b', 'ä'] }])
    await stop()
  })

  it('is there again by itself after it was killed, with what was acknowledged', async () => {
    const dataDir = await folders.copyOf(original)
    const { url, stop } = await start(dataDir)
    await ask(url, 'insert into kept values (2)')
    const before = await postmasterOf(dataDir)
    process.kill(before, 'SIGKILL')
    await gone(before)
    const count = () =>
      ask(url, 'select count(*)::int as rows from kept').then(
        ([row]) => row?.rows,
        () => 'away',
      )
    await expect.poll(count, { timeout: 60_000 }).toBe(2)
    expect(await postmasterOf(dataDir)).not.toBe(before)
    await stop()
  })

  it('ends with the process that started it, however that ends', async () => {
    const dataDir = await folders.copyOf(original)
    const holder = await startElsewhere(dataDir)
    const postmaster = await postmasterOf(dataDir)
    process.kill(-(holder.pid ?? 0), 'SIGKILL')
    await gone(postmaster)
  })

  it.skipIf(process.platform !== 'linux')('is stopped by the next start if it did not', async () => {
    const dataDir = await folders.copyOf(original)
    const holder = await startElsewhere(dataDir, 'insert into kept values (3)')
    const orphan = await postmasterOf(dataDir)
    await killKeeper(orphan)
    process.kill(-(holder.pid ?? 0), 'SIGKILL')
    await once(holder, 'exit')
    expect(isAlive(orphan)).toBe(true)
    const { url, stop } = await start(dataDir)
    // Whoever inherits orphans may take a moment to bury this one.
    await gone(orphan)
    expect(await ask(url, 'select id from kept order by id')).toEqual([{ id: 1 }, { id: 3 }])
    await stop()
  })

  it('leaves a stranger alone whose number stands in an old lock file', async () => {
    const dataDir = await folders.copyOf(original)
    const stranger = spawn('sleep', ['600'])
    const data = join(dataDir, 'postgres/cluster')
    await writeFile(join(data, 'postmaster.pid'), `${stranger.pid}\n${data}\n1700000000\n5432\n\n\n`)
    const { url, stop } = await start(dataDir)
    expect(await ask(url, 'select id from kept')).toEqual([{ id: 1 }])
    await stop()
    expect(isAlive(stranger.pid ?? 0)).toBe(true)
    stranger.kill()
  })

  it('begins anew where its making was cut off', async () => {
    const dataDir = await folders.make()
    const holder = spawnHolder(dataDir)
    const unfinished = async () =>
      (await readdir(join(dataDir, 'postgres')).catch(() => [])).filter((name) =>
        name.startsWith('cluster.new-'),
      )
    await expect.poll(unfinished, { timeout: 30_000, interval: 5 }).not.toEqual([])
    process.kill(-(holder.pid ?? 0), 'SIGKILL')
    await once(holder, 'exit')
    expect(await readdir(join(dataDir, 'postgres'))).not.toContain('cluster')
    const { url, stop } = await start(dataDir)
    expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(await unfinished()).toEqual([])
    await stop()
  })

  it('finds a place for its socket where the path of the data folder is too long', async () => {
    const top = await folders.make()
    // Open to all, or root's database would go where the path is short.
    await chmod(top, 0o755)
    const parent = join(top, 'a'.repeat(60), 'b'.repeat(60))
    await mkdir(parent, { recursive: true, mode: 0o755 })
    const dataDir = join(parent, 'data')
    const { url, stop } = await start(dataDir)
    expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }])
    const place = new URL(url).searchParams.get('host') ?? ''
    expect(place).not.toContain(dataDir)
    expect((await stat(place)).mode & 0o777).toBe(0o700)
    await stop()
    await expect(stat(place)).rejects.toThrow('ENOENT')
  })

  it('goes elsewhere when its port is taken in between', async () => {
    const dataDir = await folders.copyOf(original)
    const squatter = createServer().listen(0, '127.0.0.1')
    await once(squatter, 'listening')
    const { port } = squatter.address() as { port: number }
    const ports = [port, await freePort()]
    const { url, stop } = await runOwnPostgres({
      folder: join(dataDir, 'postgres'),
      processes: 1,
      log: pino({ level: 'silent' }),
      choose: async (cluster) => {
        const next = ports.shift()
        return next ? { port: next } : chooseAddress(cluster)
      },
    })
    expect(Number(new URL(url).port)).not.toBe(port)
    expect(await ask(url, 'select id from kept')).toEqual([{ id: 1 }])
    await stop()
    squatter.close()
  })
})
