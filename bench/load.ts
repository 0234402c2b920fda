// `node bench/load.ts [minutes]`: visitors, listeners, members, an admin, a flood and slow clients, all at once, on one
// service with the embedded database (DATABASE_URL: on that one). Prints what each of them got, and the memory on the way.

import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { startServer } from '#tests/support/server-process.ts'
import { actors, actUntil, recordingOn } from './load/actors.ts'
import { familyMegabytes } from './measure/process-usage.ts'
import { publicPages } from './measure/public-pages.ts'
import { aligned } from './report/report.ts'

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

const DROP_MS = 1_000

/**
 * Clients that hold a connection and hardly use it: half of them say what they want letter by letter, the others ask
 * for a recording and read none of it. Returns what ends them.
 */
function slowClients(port: number, recording: string, many: number): () => void {
  const request = `GET ${recording} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`
  const sockets = Array.from({ length: many }, (_, n) =>
    n % 2 ? mute(port, request) : dropping(port, request),
  )
  return () => {
    for (const socket of sockets) socket.destroy()
  }
}

function mute(port: number, request: string): Socket {
  const socket = connect(port, '127.0.0.1', () => socket.write(request))
  return socket.on('error', () => undefined).pause()
}

function dropping(port: number, request: string): Socket {
  let said = 0
  const socket = connect(port, '127.0.0.1')
  const timer = setInterval(() => socket.write(request.charAt(said++ % request.length)), DROP_MS)
  return socket.on('error', () => undefined).once('close', () => clearInterval(timer))
}
