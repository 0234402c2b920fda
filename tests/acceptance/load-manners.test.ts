import { randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { serviceLibrary } from '#tests/support/members.ts'
import type { ServerProcess } from '#tests/support/server-process.ts'
import { startSite } from '#tests/support/site-server.ts'

const patiently = { timeout: 120_000 }
const CROWD = 200

let server: ServerProcess
beforeAll(async () => {
  server = await startSite()
}, 120_000)
afterAll(() => server?.remove())

const get = (path: string, headers = {}) => fetch(server.url + path, { headers })
/** Connections that begin a request and then say nothing more. */
function openSlowly(count: number, said: string) {
  const sockets = Array.from({ length: count }, () => connect(Number(new URL(server.url).port), '127.0.0.1'))
  for (const socket of sockets) {
    socket.on('error', () => undefined)
    socket.write(said)
  }
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  return sockets
}

/** Resolves when the other side has hung up, which only a socket that reads can notice. */
const closed = (socket: Socket) =>
  new Promise<void>((resolve) => socket.resume().once('close', () => resolve()))

describe('others are served', patiently, () => {
  it('while many connections never finish saying what they want, and those are hung up', async () => {
    const slow = openSlowly(CROWD, 'GET / HTTP/1.1\r\nhost: site\r\nx-slow: ')
    const all = Promise.all(slow.map(closed))
    for (const path of ['/', '/resources', '/healthz']) expect((await get(path)).status).toBe(200)
    await all
  })

  it.each(['/\\', '/\\[', '//', '//[', '/%', '/%00', 'http://[/', 'x', '*', '/?\\'])(
    'after somebody has asked for %j',
    async (target) => {
      const [socket] = openSlowly(1, `GET ${target} HTTP/1.1\r\nhost: site\r\nconnection: close\r\n\r\n`)
      const answer = Buffer.concat((await socket?.toArray()) ?? []).toString()
      expect(answer).toMatch(/^HTTP\/1\.1 [234]\d\d /)
      expect((await get('/healthz')).status).toBe(200)
    },
  )

  it('while many read their answer by drops, or send an upload by drops', async () => {
    const readers = openSlowly(50, 'GET /resources HTTP/1.1\r\nhost: site\r\n\r\n')
    for (const reader of readers) reader.pause()
    openSlowly(
      50,
      `POST /rest/v1/resources HTTP/1.1\r\nhost: site\r\napikey: ${server.keys.publishable}\r\ncontent-length: 1000\r\n\r\n{`,
    )
    for (const path of ['/', '/resources', '/readyz']) expect((await get(path)).status).toBe(200)
  })

  it('while one address asks for more than it may', async () => {
    const guess = () =>
      fetch(`${server.url}/auth/v1/token?grant_type=password`, {
        method: 'POST',
        headers: { apikey: server.keys.publishable, 'content-type': 'application/json' },
        body: JSON.stringify({ email: `${randomUUID()}@example.org`, password: 'wrong-password' }),
      })
    const flood = Promise.all(Array.from({ length: 60 }, guess))
    const page = get('/resources')
    expect((await page).status).toBe(200)
    const statuses = (await flood).map(({ status }) => status)
    // Of those that are let through, the ones whose turn does not come in time on a busy machine hear so.
    expect(statuses.filter((status) => status === 400 || status === 503)).toHaveLength(30)
    expect(statuses).toContain(400)
    expect(statuses.filter((status) => status === 429)).toHaveLength(30)
  })
})

describe('a crowd after a publish', patiently, () => {
  it('gets the new page, the same one for all of them', async () => {
    const title = `For the crowd ${randomUUID()}`
    await get('/resources/webinar')
    const row = { title, description: 'All at once', category: 'webinar', public: true }
    const { error } = await serviceLibrary(server).from('resources').insert(row)
    expect(error).toBeNull()
    const crowd = await Promise.all(
      Array.from({ length: CROWD }, (_, visitor) => get(`/resources/webinar?utm_source=${visitor}`)),
    )
    expect(new Set(crowd.map(({ status }) => status))).toEqual(new Set([200]))
    const pages = await Promise.all(crowd.map((answer) => answer.text()))
    expect(pages.every((page) => page.includes(title))).toBe(true)
    expect(new Set(crowd.map(({ headers }) => headers.get('etag'))).size).toBe(1)
  })

  it('is served whatever page each of them wants', async () => {
    const { data = [] } = await serviceLibrary(server).from('resources').select('id').eq('public', true)
    const row = { title: 'All stale', description: 'At once', category: 'session' }
    await serviceLibrary(server).from('resources').insert(row)
    const paths = ['/', '/resources', ...(data ?? []).map(({ id }) => `/resource/${id}`)]
    const crowd = paths.flatMap((path) => Array.from({ length: 10 }, () => get(path)))
    const health = get('/healthz')
    expect((await health).status).toBe(200)
    for (const answer of await Promise.all(crowd)) expect(answer.status).toBe(200)
  })
})
