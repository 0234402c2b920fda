import { setTimeout as sleep } from 'node:timers/promises'
import { familyMegabytes } from '#bench/measure/process-usage.ts'
import type { Figure, Measure } from '#bench/report/report.ts'
import { startPostgres } from '#tests/support/postgres-server.ts'
import { type ServerProcess, startServer } from '#tests/support/server-process.ts'
import { publicPages } from '../measure/public-pages.ts'

/** How much the service is used before its memory is read, and how long it rests. */
interface Use {
  searches: number
  restMs: number
}

const briefly: Use = { searches: 8, restMs: 3_000 }
const thoroughly: Use = { searches: 40, restMs: 20_000 }

/** How long a start takes, and how much memory is held after use, at rest; in a hurry, on our own database only. */
export const startsAndMemory: Measure = async ({ quick }) => {
  const first = await timed(() => startServer())
  await first.result.stop()
  const again = await timed(() => startServer({ dataDir: first.result.dataDir }))
  const embedded = await memoryAfterUse(again.result, quick ? briefly : thoroughly)
  await again.result.remove()
  const line = (name: string, value: number, unit: Figure['unit'], budget: number): Figure => ({
    name,
    value,
    unit,
    budget,
    wanted: 'at most',
  })
  return [
    line('Start on existing data', again.seconds, 's', 3),
    line('First start, with migrations and the starter library', first.seconds, 's', 10),
    line('Memory after use, at rest, with the database', embedded, 'MB', 300),
    ...(quick ? [] : [line('Memory after use, at rest: DATABASE_URL', await memoryOnPostgres(), 'MB', 200)]),
  ]
}

async function memoryOnPostgres(): Promise<number> {
  const postgres = await startPostgres()
  const server = await startServer({ env: { DATABASE_URL: postgres.url() } })
  const megabytes = await memoryAfterUse(server, thoroughly)
  await server.remove()
  await postgres.remove()
  return megabytes
}

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; seconds: number }> {
  const started = performance.now()
  const result = await work()
  return { result, seconds: (performance.now() - started) / 1000 }
}

/** Every kind of public page in several variants, their pictures, and the API; then a pause. */
async function memoryAfterUse(server: ServerProcess, use: Use): Promise<number> {
  const pages = Object.values(await publicPages(server.url))
  const search = (n: number) => `/resources?page=${1 + (n % 5)}&grade=${6 + (n % 7)}`
  const searches = Array.from({ length: use.searches }, (_, n) => search(n))
  for (const path of [...pages, ...searches]) {
    const html = await (await fetch(`${server.url}${path}`)).text()
    const pictures = new Set([...html.matchAll(/\/storage\/v1\/[^"' ,]+/g)].map(([address]) => address))
    for (const address of [...pictures].slice(0, 20)) {
      const picture = address.replaceAll('&amp;', '&')
      await (await fetch(`${server.url}${picture}`, { headers: { accept: 'image/avif,*/*' } })).arrayBuffer()
    }
  }
  for (let n = 0; n < 300; n++) {
    const address = `${server.url}/rest/v1/resources?select=*&limit=10&offset=${n % 30}`
    await (await fetch(address, { headers: { apikey: server.keys.publishable } })).text()
  }
  await sleep(use.restMs)
  if (server.process.pid === undefined) throw new Error('the service is not running')
  return familyMegabytes(server.process.pid)
}
