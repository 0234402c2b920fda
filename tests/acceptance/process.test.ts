import { spawn } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startReady } from '#tests/support/ready-folder.ts'
import {
  endProcess,
  freePort,
  type ServerProcess,
  spawnServer,
  startServer,
} from '#tests/support/server-process.ts'

/** Runs the service until it ends by itself. */
async function ended(env: Record<string, string>) {
  const { process, output } = spawnServer(env)
  const code = await new Promise<number | null>((resolve) => process.once('exit', resolve))
  return { code, output: output() }
}

/** A start makes a database; beside other tests that takes its time. */
const patiently = { timeout: 120_000 }

describe('the running service', patiently, () => {
  let server: ServerProcess
  beforeAll(async () => {
    server = await startReady({ env: { STARTER_CONTENT: 'off', LOG_LEVEL: 'debug' } })
  })
  afterAll(() => server.remove())

  it('is alive and ready', async () => {
    for (const path of ['/healthz', '/readyz']) expect((await fetch(server.url + path)).status).toBe(200)
  })

  it('gives each request an id, in a header and in the log, and keeps one it was given', async () => {
    const id = (await fetch(`${server.url}/about`)).headers.get('x-request-id')
    expect(id).toMatch(/^[\w-]{20,}$/)
    await expect.poll(server.output).toContain(`"requestId":"${id}"`)
    const given = await fetch(`${server.url}/about`, { headers: { 'x-request-id': 'from-the-proxy-1' } })
    expect(given.headers.get('x-request-id')).toBe('from-the-proxy-1')
  })

  it('writes no key, token or query into its log', async () => {
    const secret = 'eyJhbGciOiJIUzI1NiJ9.c2VjcmV0.c2lnbmF0dXJl'
    await fetch(`${server.url}/rest/v1/resources?apikey=${server.keys.secret}&title=eq.private-words`)
    await fetch(`${server.url}/rest/v1/resources`, {
      headers: { apikey: server.keys.publishable, authorization: `Bearer ${secret}` },
    })
    for (const word of [server.keys.secret, server.keys.publishable, secret, 'private-words']) {
      expect(server.output()).not.toContain(word)
    }
  })

  it('refuses a second process on the same data folder, and says what to do', async () => {
    const second = await ended({ DATA_DIR: server.dataDir, PORT: String(await freePort()) })
    expect(second.code).toBe(1)
    expect(second.output).toContain('Another Walking Together process is using')
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  })

  it('says so when the port is taken', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'walking-together-'))
    const second = await ended({ DATA_DIR: folder, STARTER_CONTENT: 'off', PORT: new URL(server.url).port })
    await rm(folder, { recursive: true, force: true })
    expect([second.code, second.output]).toEqual([1, expect.stringContaining('is taken. Set PORT')])
  })
})

describe('starting and stopping', patiently, () => {
  it('lists every wrong variable at once and starts nothing', async () => {
    const folder = join(tmpdir(), `walking-together-never-${process.pid}`)
    const { code, output } = await ended({
      DATA_DIR: folder,
      PORT: 'http',
      SITE_URL: 'nowhere',
      SMTP_URL: 'mail',
      CONTACT_EMAIL: 'x',
    })
    expect(code).toBe(1)
    for (const name of ['PORT', 'SITE_URL', 'SMTP_URL', 'CONTACT_EMAIL']) expect(output).toContain(name)
    await expect(readdir(folder)).rejects.toThrow('ENOENT')
  })

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'finishes the request in flight on %s, then exits 0',
    async (signal) => {
      const server = await startReady({ env: { STARTER_CONTENT: 'off' } })
      const answer = slowRequest(server)
      await answer.begun
      const stopped = endProcess(server.process, signal)
      await answer.finish()
      expect(await answer.status).toBe('HTTP/1.1 201 Created')
      expect(await stopped).toBe(0)
      await expect(fetch(server.url)).rejects.toThrow()
      await server.remove()
    },
  )

  it('ends also when nobody reads its output any more', async () => {
    const server = await startReady({ env: { STARTER_CONTENT: 'off', LOG_LEVEL: 'info' } })
    server.process.stdout?.destroy()
    server.process.stderr?.destroy()
    expect(await endProcess(server.process)).toBe(0)
    await server.remove()
  })

  it.skipIf(process.platform === 'win32')('ends with the npm that started it', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'walking-together-'))
    const port = await freePort()
    const shell = startThroughShell({ DATA_DIR: dataDir, PORT: String(port), STARTER_CONTENT: 'off' })
    const answers = () =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
    try {
      await expect.poll(answers, { timeout: 80_000, interval: 200 }).toBe(true)
    } finally {
      shell.kill('SIGTERM')
    }
    await expect.poll(answers, { timeout: 15_000, interval: 200 }).toBe(false)
    await rm(dataDir, { recursive: true, force: true })
  })

  it('starts again after a crash, with everything that was acknowledged', async () => {
    const first = await startReady({ env: { STARTER_CONTENT: 'off' } })
    const post = await fetch(`${first.url}/rest/v1/resources`, {
      method: 'POST',
      headers: serviceHeaders(first),
      body: resource,
    })
    expect(post.status).toBe(201)
    await endProcess(first.process, 'SIGKILL')
    const second = await startServer({ dataDir: first.dataDir, env: { STARTER_CONTENT: 'off' } })
    const found = await fetch(`${second.url}/rest/v1/resources?select=title`, {
      headers: serviceHeaders(second),
    })
    expect(await found.json()).toEqual([{ title: 'Kept' }])
    await second.remove()
  })
})

/** As npm does it: a shell stands between, and passes no signal on. */
const startThroughShell = (env: Record<string, string>) =>
  spawn('sh', ['-c', `"${process.execPath}" tools/start.mjs; true`], {
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      LOG_LEVEL: 'warn',
      npm_lifecycle_event: 'start',
      ...env,
    },
  })

const resource = JSON.stringify({ title: 'Kept', description: 'Through a crash', category: 'reading' })
const serviceHeaders = ({ keys }: ServerProcess) => ({
  apikey: keys.secret,
  'content-type': 'application/json',
})

/** A POST whose body arrives in two pieces, so that a stop can fall between them. */
function slowRequest({ url, keys }: ServerProcess) {
  const { port, host } = new URL(url)
  const socket = connect(Number(port), '127.0.0.1')
  const status = new Promise<string>((resolve) =>
    socket.once('data', (data) => resolve(String(data).split('\r\n')[0] ?? '')),
  )
  const head = [
    'POST /rest/v1/resources HTTP/1.1',
    `host: ${host}`,
    `apikey: ${keys.secret}`,
    'content-type: application/json',
    `content-length: ${resource.length}`,
  ]
  const begun = new Promise<void>((resolve) => {
    socket.write(`${head.join('\r\n')}\r\n\r\n${resource.slice(0, 10)}`, () => setTimeout(resolve, 100))
  })
  const finish = async () => {
    await new Promise((resolve) => setTimeout(resolve, 100))
    socket.write(resource.slice(10))
  }
  return { begun, finish, status }
}
