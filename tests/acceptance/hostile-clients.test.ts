import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { familyMegabytes } from '#bench/measure/process-usage.ts'
import { median } from '#bench/measure/rounds.ts'
import { aimAt, besiege } from '#tests/support/hostile/besiege.ts'
import { hostileKinds, type Target } from '#tests/support/hostile/kinds.ts'
import { startReady } from '#tests/support/ready-folder.ts'
import type { ServerProcess } from '#tests/support/server-process.ts'

// `node bench/hostile.ts` measures the same for longer, on a larger library; docs/performance.md has its figures. The
// limits here are for machines with much else to do: without gates, nearly every answer took longer than these.
const MILLISECONDS = 1_500
const QUICK_MS = 1_500
const COLD_MS = 5_000
const MEMORY_MB = 1_000

let server: ServerProcess
let target: Target
beforeAll(async () => {
  server = await startReady()
  target = await aimAt(server)
}, 120_000)
afterAll(() => server?.remove())

describe('readers read on while one anonymous client does its worst:', () => {
  it.each(Object.keys(hostileKinds))('%s', { timeout: 120_000 }, async (name) => {
    const { times, failures } = await besiege(name, target, MILLISECONDS)
    expect(failures).toEqual([])
    expect(median(times.healthz)).toBeLessThan(QUICK_MS)
    expect(median(times.cached)).toBeLessThan(QUICK_MS)
    expect(median(times.cold)).toBeLessThan(COLD_MS)
    expect(await familyMegabytes(server.process.pid ?? 0)).toBeLessThan(MEMORY_MB)
  })
})
