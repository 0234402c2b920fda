import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openTestDatabase } from '#tests/support/databases.ts'
import { openRest, type RestUnderTest } from '#tests/support/rest.ts'

const MB = 1024 * 1024
const ROWS = 7
const visitor = { apikey: 'sb_publishable_test' }
const alice = { ...visitor, authorization: 'Bearer token-of-alice' }

let rest: RestUnderTest
let port: number
const sockets: Socket[] = []
const server = createServer((request, response) => listener(request, response))
let listener: ReturnType<typeof getRequestListener>
beforeAll(async () => {
  rest = await openRest(openTestDatabase)
  await rest.sql(`
    create table public.long (id int primary key, body text);
    grant select on public.long to anon, authenticated;
    insert into public.long select n, repeat(md5(n::text), 131072) from generate_series(1, ${ROWS}) n;
    notify pgrst, 'reload schema'`)
  await vi.waitFor(async () => expect((await rest.send('/long?select=id&limit=1')).status).toBe(200), 10_000)
  listener = getRequestListener(rest.fetch)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  port = (server.address() as AddressInfo).port
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  server.close()
  await rest.close()
})

const get = (path: string, headers: Record<string, string>) =>
  fetch(`http://127.0.0.1:${port}/rest/v1${path}`, { headers })

/** Asks for `megabytes` and reads nothing of them. */
async function askAndNotRead(megabytes: number, headers: Record<string, string>): Promise<Socket> {
  const lines = Object.entries({ host: 'rest', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  const path = `/rest/v1/long?select=body&id=lte.${megabytes / 4}`
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  sockets.push(socket)
  socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
  await once(socket, 'readable')
  return socket
}

/** What comes of an answer when it is read at last. */
const readToItsEnd = async (socket: Socket): Promise<number> => {
  const ended = new Promise((resolve) => socket.once('close', resolve))
  socket.resume()
  let seen = -1
  while (socket.bytesRead > seen) {
    seen = socket.bytesRead
    await Promise.race([ended, pause(500)])
  }
  return socket.bytesRead
}

describe('who does not read an answer', () => {
  it.each([
    ['visitors', visitor],
    ['members', alice],
  ])('keeps no %s from asking', async (_who, headers) => {
    for (let n = 0; n < 4; n++) await askAndNotRead(12, headers)
    const started = performance.now()
    expect((await get('/long?select=id&limit=1', headers)).status).toBe(200)
    // The lines let in nobody for three and eight seconds.
    expect(performance.now() - started).toBeLessThan(2_500)
  })

  it('gets the first of them cut off when there are too many, and the last one whole', async () => {
    const unread: Socket[] = []
    for (let n = 0; n < 4; n++) unread.push(await askAndNotRead(28, alice))
    const read = await Promise.all(unread.map(readToItsEnd))
    expect(read[0]).toBeLessThan(28 * MB)
    expect(read.slice(2).every((bytes) => bytes > 28 * MB)).toBe(true)
  }, 30_000)
})
