// `node bench/hostile.ts [seconds] [word]`: one anonymous client does its worst, kind after kind (those whose name holds
// the word), while readers at other addresses read. Prints what they waited, and the memory. Needs Linux.
import { setTimeout as pause } from 'node:timers/promises'
import { PostgrestClient } from '@supabase/postgrest-js'
import { aimAt, besiege } from '#tests/support/hostile/besiege.ts'
import { hostileKinds } from '#tests/support/hostile/kinds.ts'
import { type ServerProcess, startServer } from '#tests/support/server-process.ts'
import { makeResource } from './library/open-library.ts'
import { familyMegabytes } from './measure/process-usage.ts'
import { percentile } from './measure/rounds.ts'
import { aligned } from './report/report.ts'

const SAMPLE_MS = 500
const RESOURCES = 10_000
const BATCH = 200

const seconds = Number(process.argv[2] ?? 10)
const word = process.argv[3] ?? ''
const site = await startServer()
try {
  await fillLibrary(site)
  const target = await aimAt(site)
  const rows = [
    ['', 'healthz p50 ms', 'p99', 'cached p50', 'p99', 'cold p50', 'p99', 'failures', 'memory MB'],
  ]
  for (const name of [undefined, ...Object.keys(hostileKinds)]) {
    if (name && !name.includes(word)) continue
    process.stderr.write(`${name ?? 'nobody'}…\n`)
    rows.push(await rowOf(name, target))
  }
  console.log(aligned(rows))
} finally {
  await site.remove()
}

async function rowOf(name: string | undefined, target: Awaited<ReturnType<typeof aimAt>>): Promise<string[]> {
  let peak = 0
  const sampling = setInterval(async () => {
    peak = Math.max(peak, await familyMegabytes(site.process.pid ?? 0))
  }, SAMPLE_MS)
  const { times, failures } = await besiege(name, target, seconds * 1000)
  clearInterval(sampling)
  // What the last one left running does not count for the next.
  await pause(4_000)
  const shown = Object.values(times).flatMap((all) =>
    [0.5, 0.99].map((share) => percentile(all, share).toFixed(1)),
  )
  return [name ?? 'nobody', ...shown, String(failures.length), peak.toFixed(0)]
}

/** As an owner's own script would, through the API. */
async function fillLibrary({ url, keys }: ServerProcess): Promise<void> {
  const library = new PostgrestClient(`${url}/rest/v1`, {
    headers: { apikey: keys.secret, authorization: `Bearer ${keys.secret}` },
  })
  for (let first = 0; first < RESOURCES; first += BATCH) {
    const rows = Array.from({ length: BATCH }, (_, n) => ({
      ...makeResource(first + n),
      image_url: null,
      audioUrl: null,
    }))
    const { error } = await library.from('resources').insert(rows)
    if (error) throw new Error(error.message)
  }
}
