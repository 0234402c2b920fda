import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { serviceLibrary } from '#tests/support/members.ts'
import { mp3 } from '#tests/support/samples.ts'
import { type ServerGroup, startGroup } from '#tests/support/server-group.ts'
import { endProcess, type ServerProcess } from '#tests/support/server-process.ts'

const KILLS = 4
/** A kill falls somewhere within this time after the one before. */
const UP_TO_MS = 1_500

let group: ServerGroup
beforeAll(async () => {
  group = await startGroup(2, { STARTER_CONTENT: 'off', REST_MAX_ROWS: '100000' })
}, 180_000)
afterAll(() => group?.remove())

const headers = () => {
  const { secret } = (group.servers[0] as ServerProcess).keys
  return { apikey: secret, authorization: `Bearer ${secret}` }
}

/** Sends through the one address; false when the process died over it, so that nothing was promised. */
const acknowledged = (path: string, init: RequestInit): Promise<boolean> =>
  fetch(group.url + path, { method: 'POST', ...init, headers: { ...headers(), ...init.headers } }).then(
    async (answer) => {
      await answer.arrayBuffer()
      return answer.ok
    },
    () => false,
  )

/** Writes rows and files one after another until told to stop; gives what was acknowledged. */
async function write(isOver: () => boolean) {
  const rows: string[] = []
  const files = new Map<string, string>()
  while (!isOver()) {
    const id = randomUUID()
    const row = JSON.stringify({ id, title: id, description: 'Kept', category: 'webinar' })
    const json = { 'content-type': 'application/json' }
    if (await acknowledged('/rest/v1/resources', { body: row, headers: json })) rows.push(id)
    const bytes = Buffer.concat([mp3, randomBytes(100_000)])
    const path = `resource-audio/${id}.mp3`
    const sound = { 'content-type': 'audio/mpeg' }
    if (await acknowledged(`/storage/v1/object/audio/${path}`, { body: bytes, headers: sound })) {
      files.set(path, digest(bytes))
    }
  }
  return { rows, files }
}

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Kills one after another, and brings each back. */
async function killInTurn(): Promise<void> {
  for (let kill = 0; kill < KILLS; kill++) {
    await pause(Math.random() * UP_TO_MS)
    const victim = kill % group.servers.length
    await endProcess((group.servers[victim] as ServerProcess).process, 'SIGKILL')
    await group.restart(victim)
  }
}

it('loses nothing that was acknowledged, whichever process is killed at whatever moment', {
  timeout: 240_000,
}, async () => {
  let isOver = false
  const writers = Array.from({ length: 3 }, () => write(() => isOver))
  await killInTurn().finally(() => {
    isOver = true
  })
  const written = await Promise.all(writers)
  const rows = written.flatMap((one) => one.rows)
  const files = written.flatMap((one) => [...one.files])
  expect(rows.length).toBeGreaterThan(20)
  expect(files.length).toBeGreaterThan(20)

  const { data } = await serviceLibrary(group.servers[0] as ServerProcess)
    .from('resources')
    .select('id')
  const kept = new Set(data?.map(({ id }) => id))
  expect(rows.filter((id) => !kept.has(id))).toEqual([])
  for (const [path, expected] of files) {
    const answer = await fetch(`${group.url}/storage/v1/object/public/audio/${path}`)
    expect([path, digest(new Uint8Array(await answer.arrayBuffer()))]).toEqual([path, expected])
  }
})
