import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { startReady } from '#tests/support/ready-folder.ts'
import { endProcess, type ServerProcess, spawnServer } from '#tests/support/server-process.ts'
import { startSite } from '#tests/support/site-server.ts'

const patiently = { timeout: 90_000 }

let server: ServerProcess
const options = { env: { WORKERS: '2', STARTER_CONTENT: 'off', LOG_LEVEL: 'info' } }
/** One of a test's own, which is gone after it however it ends. */
const startAnother = async () => {
  const other = await startSite(options)
  onTestFinished(() => other.remove())
  return other
}
beforeAll(async () => {
  // Its workers share a database that the first process has started; the others' is there before them.
  server = await startReady(options)
}, 120_000)
afterAll(() => server?.remove())

type Line = { worker?: number; pid?: number; msg: string; requestId?: string }
const linesOf = ({ output }: ServerProcess): Line[] =>
  output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
const started = (from: ServerProcess) => linesOf(from).filter(({ msg }) => msg === 'worker started')

/** On a connection of its own, so that the next worker gets it. */
const ask = (from: ServerProcess, id: string = randomUUID()) =>
  fetch(`${from.url}/about`, { headers: { connection: 'close', 'x-request-id': id } })

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('npm start with WORKERS=2', patiently, () => {
  it('answers from both, and each line of the log says from which', async () => {
    await expect.poll(() => started(server), { timeout: 30_000 }).toHaveLength(2)
    const answering = async () => {
      await ask(server)
      const workers = linesOf(server).filter(({ msg }) => msg === 'request')
      return [...new Set(workers.map(({ worker }) => worker))].sort()
    }
    await expect.poll(answering, { timeout: 30_000 }).toEqual([1, 2])
    expect(server.output().match(/is open at/g)).toHaveLength(1)
    expect(server.output().match(/Sign in as admin/g)).toHaveLength(1)
  })

  it('replaces a worker that is killed, while the other one goes on', async () => {
    await expect.poll(() => started(server), { timeout: 30_000 }).toHaveLength(2)
    process.kill(started(server)[0]?.pid ?? 0, 'SIGKILL')
    await expect.poll(() => started(server), { timeout: 30_000 }).toHaveLength(3)
    const answering = async () => {
      expect((await ask(server)).status).toBe(200)
      return linesOf(server).some(({ msg, worker }) => msg === 'request' && worker === 3)
    }
    await expect.poll(answering, { timeout: 60_000 }).toBe(true)
  })

  it('ends all workers on SIGTERM, and exits 0', async () => {
    const other = await startAnother()
    const open = () => linesOf(other).filter(({ msg }) => msg === 'listening').length
    await expect.poll(open, { timeout: 30_000 }).toBe(2)
    expect(await endProcess(other.process)).toBe(0)
    expect(linesOf(other).filter(({ msg }) => msg === 'stopped')).toHaveLength(2)
    expect(started(other).filter(({ pid = 0 }) => isAlive(pid))).toEqual([])
  })

  it('leaves no worker behind when it is killed itself', async () => {
    const other = await startAnother()
    await endProcess(other.process, 'SIGKILL')
    const alive = () => started(other).filter(({ pid = 0 }) => isAlive(pid))
    await expect.poll(alive, { timeout: 20_000 }).toEqual([])
  })

  it('says once why it cannot start, and exits 1', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'walking-together-'))
    const { process: child, output } = spawnServer({
      DATA_DIR: folder,
      STARTER_CONTENT: 'off',
      WORKERS: '2',
      PORT: new URL(server.url).port,
    })
    const code = await new Promise((resolve) => child.once('exit', resolve))
    await rm(folder, { recursive: true })
    expect(code).toBe(1)
    expect(output().match(/is taken. Set PORT/g)).toHaveLength(1)
  })
})
