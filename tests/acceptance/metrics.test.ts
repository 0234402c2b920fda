import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort, type ServerProcess } from '#tests/support/server-process.ts'
import { startSite } from '#tests/support/site-server.ts'

/** The value of a sample, `undefined` when it is not there. */
const sampleOf = (text: string, sample: string): number | undefined => {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${sample} `))
  return line === undefined ? undefined : Number(line.slice(sample.length + 1))
}
const read = async (port: number): Promise<string> => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()

describe('METRICS_PORT', () => {
  let server: ServerProcess
  let port: number
  beforeAll(async () => {
    port = await freePort()
    server = await startSite({ env: { METRICS_PORT: String(port) } })
  })
  afterAll(() => server?.remove())

  it('counts requests by route, method and status, and how long they took', async () => {
    for (const path of [
      '/about',
      '/about',
      '/resource/no-such-thing',
      '/rest/v1/resources?select=id',
      '/what.php',
    ])
      await (await fetch(server.url + path, { headers: { apikey: server.keys.publishable } })).text()
    const text = await read(port)
    const count = (route: string, status: number) =>
      sampleOf(text, `http_request_duration_seconds_count{route="${route}",method="GET",status="${status}"}`)
    expect(count('/about', 200)).toBe(2)
    expect(count('/resource/{id}', 404)).toBe(1)
    expect(count('/rest/v1/resources', 200)).toBe(1)
    expect(count('other', 404)).toBe(1)
    expect(sampleOf(text, 'page_cache_requests_total{outcome="hit"}')).toBe(1)
    expect(sampleOf(text, 'admission_wait_seconds_count{gate="renders"}')).toBeGreaterThanOrEqual(2)
  })

  it('makes no new series for what attackers invent', async () => {
    for (let n = 0; n < 30; n++) await fetch(`${server.url}/${n}/${n}.php`, { method: 'GET' })
    await fetch(`${server.url}/rest/v1/table_${Math.random()}`)
    const text = await read(port)
    const routes = new Set([...text.matchAll(/route="([^"]+)"/g)].map(([, route]) => route))
    expect([...routes].filter((route) => /\d\.php|table_/.test(route ?? ''))).toEqual([])
  })

  it('tells of database, pool, jobs, mails and the event loop', async () => {
    const text = await read(port)
    expect(sampleOf(text, 'database_up')).toBe(1)
    expect(sampleOf(text, 'database_size_bytes')).toBeGreaterThan(1e6)
    expect(sampleOf(text, 'database_pool{state="waiting"}')).toBe(0)
    expect(sampleOf(text, 'mail_waiting')).toBe(0)
    expect(sampleOf(text, 'mail_failed')).toBe(0)
    expect(sampleOf(text, 'nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0)
  })

  it('is not to be had at the public port', async () => {
    expect((await fetch(`${server.url}/metrics`)).status).toBe(404)
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404)
  })
})

describe('METRICS_PORT with several workers', () => {
  it('adds up what all of them count', async () => {
    const port = await freePort()
    const env = { METRICS_PORT: String(port), WORKERS: '2' }
    const server = await startSite({ env })
    try {
      for (let n = 0; n < 20; n++)
        await (await fetch(`${server.url}/healthz`, { headers: { connection: 'close' } })).text()
      const text = await read(port)
      const sample = 'http_request_duration_seconds_count{route="/healthz",method="GET",status="200"}'
      expect(sampleOf(text, sample)).toBe(20)
      expect(sampleOf(text, 'database_up')).toBe(1)
    } finally {
      await server.remove()
    }
  }, 60_000)
})
