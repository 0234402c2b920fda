import { median } from '#bench/measure/rounds.ts'
import { fetchRaw, startBareServer } from '#bench/measure/start-bare-server.ts'
import type { Measure } from '#bench/report/report.ts'
import { startServer } from '#tests/support/server-process.ts'
import { requestsPerSecond } from '../measure/http-load.ts'

const path = '/resources?size=12'
const headers = { 'accept-encoding': 'br' }
const ROUND_MS = { quick: 600, thorough: 1500 }

/** A page from the cache against a bare node:http server that sends the same bytes, in turns. */
export const cachedPage: Measure = async ({ quick, rounds }) => {
  // As owners run it: the log costs something too.
  const site = await startServer({ env: { LOG_LEVEL: 'info' } })
  const page = await fetchRaw(`${site.url}${path}`, 'br')
  const bare = await startBareServer(page)
  const ours = { port: Number(new URL(site.url).port), pid: site.process.pid }
  const targets = [ours, bare].map(({ port, pid = 0 }) => ({ port, pid, path, headers }))
  const milliseconds = quick ? ROUND_MS.quick : ROUND_MS.thorough
  const speeds: number[][] = []
  for (let round = 0; round <= rounds; round++) {
    const pair = []
    for (const target of targets) pair.push(await requestsPerSecond(target, milliseconds))
    if (round > 0) speeds.push(pair)
  }
  await bare.stop()
  await site.remove()
  const [reached, best] = [0, 1].map((n) => median(speeds.map((pair) => pair[n] ?? 0)))
  return [
    {
      name: 'Cached page, requests per second of a bare node:http server',
      value: 100 * median(speeds.map(([site = 0, bare = 1]) => site / bare)),
      unit: '%',
      budget: 70,
      wanted: 'at least',
      detail: `${reached?.toFixed(0)} against ${best?.toFixed(0)} per second of processor time`,
    },
  ]
}
