// `node bench/workers.ts [workers…]`: what a service on PostgreSQL answers in a second with so many processes. Clients and
// database are on the same machine and take their share of it.
import { startPostgres } from '#tests/support/postgres-server.ts'
import { type ServerProcess, startServer } from '#tests/support/server-process.ts'
import { actUntil } from './load/actors.ts'
import { answersWithin } from './measure/http-load.ts'
import { median } from './measure/rounds.ts'
import { aligned } from './report/report.ts'

const ROUND_MS = 4_000
const ROUNDS = 3

/** Answers to fetch in a second. */
async function perSecond(ask: (n: number) => Promise<Response>): Promise<number> {
  const tally = await actUntil(performance.now() + ROUND_MS, { many: 16, pauseMs: 0, ask })
  return (1000 * tally.milliseconds.length) / ROUND_MS
}

async function kinds({ url, keys }: ServerProcess, round: number): Promise<Record<string, number>> {
  const kept = { port: Number(new URL(url).port), path: '/resources', headers: { 'accept-encoding': 'br' } }
  const unseen = (n: number) => fetch(`${url}/resources?q=${round}-${n}`)
  const read = () =>
    fetch(`${url}/rest/v1/resources?select=id,title&limit=12`, { headers: { apikey: keys.publishable } })
  return {
    'a kept page': (1000 * (await answersWithin(kept, ROUND_MS))) / ROUND_MS,
    'a page nobody asked for before': await perSecond(unseen),
    'a read of /rest/v1': await perSecond(read),
  }
}

async function measure(workers: number): Promise<Record<string, number>> {
  const postgres = await startPostgres()
  const env = { DATABASE_URL: postgres.url(), WORKERS: String(workers), AUTH_RATE_LIMITS: 'off' }
  const site = await startServer({ env })
  const rounds: Record<string, number>[] = []
  for (let round = 0; round <= ROUNDS; round++) rounds.push(await kinds(site, round))
  await site.remove()
  await postgres.remove()
  const [, ...measured] = rounds
  const names = Object.keys(rounds[0] ?? {})
  return Object.fromEntries(names.map((name) => [name, median(measured.map((one) => one[name] ?? 0))]))
}

const numbers = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1, 2]
const columns: Record<string, number>[] = []
for (const workers of numbers) columns.push(await measure(workers))
const names = Object.keys(columns[0] ?? {})
const rows = names.map((name) => [name, ...columns.map((column) => String(Math.round(column[name] ?? 0)))])
console.log(aligned([['answers per second', ...numbers.map((n) => `WORKERS=${n}`)], ...rows]))
