import { randomUUID } from 'node:crypto'
import { open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { mountSmall, postmasterOf, temporaryFolders } from '#tests/support/own-database.ts'
import { startReady } from '#tests/support/ready-folder.ts'
import { png } from '#tests/support/samples.ts'
import { endProcess, type ServerProcess, startServer } from '#tests/support/server-process.ts'

const patiently = { timeout: 240_000 }
const folders = temporaryFolders()
afterAll(() => folders.removeAll())
const withoutLibrary = { STARTER_CONTENT: 'off', REST_MAX_ROWS: '100000' }

const serviceHeaders = ({ keys }: ServerProcess) => ({
  apikey: keys.secret,
  authorization: `Bearer ${keys.secret}`,
})

/** Adds a resource; its status, or 0 when no answer came. */
const write = (server: ServerProcess, id: string = randomUUID()): Promise<number> =>
  fetch(`${server.url}/rest/v1/resources`, {
    method: 'POST',
    headers: { ...serviceHeaders(server), 'content-type': 'application/json' },
    body: JSON.stringify({ id, title: id, description: 'Kept', category: 'webinar' }),
  }).then(
    ({ status }) => status,
    () => 0,
  )

async function idsIn(server: ServerProcess): Promise<Set<string>> {
  const answer = await fetch(`${server.url}/rest/v1/resources?select=id`, { headers: serviceHeaders(server) })
  expect(answer.status).toBe(200)
  return new Set(((await answer.json()) as { id: string }[]).map(({ id }) => id))
}

describe('the service and its own database', patiently, () => {
  it('answers 503 while the database is away, and is well again by itself', async () => {
    const server = await startReady({ env: withoutLibrary })
    try {
      expect(await write(server)).toBe(201)
      process.kill(await postmasterOf(server.dataDir), 'SIGKILL')
      const seen = new Set<number>()
      for (let status = 0; status !== 201; seen.add(status)) {
        status = await write(server)
        expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
        await pause(20)
      }
      expect([...seen].filter((status) => status !== 201 && status !== 503)).toEqual([])
      await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status).toBe(200)
      expect(server.process.exitCode).toBeNull()
    } finally {
      await server.remove()
    }
  })

  it('loses nothing that was acknowledged when it is killed, again and again', async () => {
    const dataDir = await folders.make()
    const acknowledged: string[] = []
    for (let kill = 0; kill < 3; kill++) {
      const server = await startServer({ env: withoutLibrary, dataDir })
      const until = performance.now() + 300 + Math.random() * 700
      let isOver = false
      const writers = Array.from({ length: 3 }, async () => {
        while (!isOver) {
          const id = randomUUID()
          if ((await write(server, id)) === 201) acknowledged.push(id)
        }
      })
      const before = acknowledged.length
      await pause(Math.max(0, until - performance.now()))
      // On a busy machine each life lasts until it has something to lose.
      while (acknowledged.length < before + 5) await pause(5)
      await endProcess(server.process, 'SIGKILL')
      isOver = true
      await Promise.all(writers)
    }
    const last = await startServer({ env: withoutLibrary, dataDir })
    const kept = await idsIn(last)
    await last.stop()
    expect(acknowledged.length).toBeGreaterThan(10)
    expect(acknowledged.filter((id) => !kept.has(id))).toEqual([])
  })

  it('goes on being read on a full disk, says so to who writes, and writes again when there is room', async (context) => {
    const dataDir = await folders.make()
    const unmount = await mountSmall(dataDir, 330)
    if (!unmount) return context.skip('mounting a small disk is not permitted here')
    const server = await startServer({ env: withoutLibrary, dataDir })
    try {
      const id = randomUUID()
      expect(await write(server, id)).toBe(201)
      const giveBack = await fill(dataDir)
      await expect.poll(() => write(server), { timeout: 30_000 }).toBe(503)
      expect(await idsIn(server)).toContain(id)
      expect((await fetch(`${server.url}/about`)).status).toBe(200)
      expect((await fetch(`${server.url}/resources?q=${randomUUID()}`)).status).toBe(200)
      const upload = await fetch(`${server.url}/storage/v1/object/images/full.png`, {
        method: 'POST',
        headers: { ...serviceHeaders(server), 'content-type': 'image/png' },
        body: new Uint8Array(png),
      })
      expect(upload.status).toBe(507)
      const signUp = await fetch(`${server.url}/auth/v1/admin/users`, {
        method: 'POST',
        headers: { ...serviceHeaders(server), 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'late@example.org' }),
      })
      expect([signUp.status, await signUp.text()]).toEqual([507, expect.stringContaining('no room left')])
      await giveBack()
      await expect.poll(() => write(server), { timeout: 60_000 }).toBe(201)
    } finally {
      await server.stop()
      await unmount()
    }
  })
})

/** Takes all room on the disk but for a little; gives it back. */
async function fill(folder: string): Promise<() => Promise<void>> {
  const file = join(folder, 'filling')
  const handle = await open(file, 'w')
  const piece = Buffer.alloc(256 * 1024, 1)
  for (;;) {
    const { bavail, bsize } = await statfs(folder)
    if (bavail * bsize < 8 * 1024 * 1024) break
    await handle.write(piece)
  }
  await handle.close()
  return () => rm(file)
}
