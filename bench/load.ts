// `node bench/load.ts [minutes]`: visitors, listeners, members, an admin, a flood and slow clients, all at once, on one
// service with the embedded database (DATABASE_URL: on that one). Prints what each of them got, and the memory on the way.
import { setTimeout as pause } from 'node:timers/promises'
import { startServer } from '#tests/support/server-process.ts'
import { actors, recordingOn } from './load/actors.ts'
import { slowClients } from './load/slow-clients.ts'
import { actUntil } from './load/tally.ts'
import { familyMegabytes } from './measure/process-usage.ts'
import { publicPages } from './measure/public-pages.ts'
import { aligned } from './report/table.ts'

const MINUTE_MS = 60_000
const WARM_UP_MS = 5_000
const SAMPLES = 8
const REST_MS = 20_000

const length = Number(process.argv[2] ?? 3) * MINUTE_MS
const { DATABASE_URL } = process.env
const site = await startServer({ env: { TRUST_PROXY: '1', ...(DATABASE_URL && { DATABASE_URL }) } })
const all = await actors(site)
const recording = await recordingOn(site.url + (await publicPages(site.url)).podcast)
const endSlowClients = slowClients(Number(new URL(site.url).port), recording, 20)
await Promise.all(Object.values(all).map((actor) => actUntil(performance.now() + WARM_UP_MS, actor)))
const end = performance.now() + length
const tallies = Object.entries(all).map(async ([name, actor]) => [name, await actUntil(end, actor)] as const)
const memory: number[] = []
for (let sample = 0; sample < SAMPLES; sample++) {
  await pause(length / SAMPLES)
  memory.push(Math.round(await familyMegabytes(site.process.pid ?? 0)))
}
const rows = (await Promise.all(tallies)).map(([name, tally]) => [name, ...tally.row()])
endSlowClients()
await pause(REST_MS)
const atRest = Math.round(await familyMegabytes(site.process.pid ?? 0))
await site.remove()
console.log(aligned([['', 'answers', 'failures', 'p50 ms', 'p95', 'p99', 'max'], ...rows]))
console.log(`\nmemory, MB: ${memory.join(', ')}; at rest: ${atRest}`)
