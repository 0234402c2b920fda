import { performance } from 'node:perf_hooks'

export type Work = () => Promise<unknown>

interface Plan {
  rounds: number
  /** How often each work is done in a round. */
  times: number
}

/**
 * Does every work `times` in each round, one kind after the other, so that whatever else the machine is busy with
 * slows all of them alike. The first round warms up and is left out. Returns milliseconds per call, round by round.
 */
export async function inRounds<Name extends string>(
  works: Record<Name, Work>,
  { rounds, times }: Plan,
): Promise<Record<Name, number[][]>> {
  const names = Object.keys(works) as Name[]
  const measured = Object.fromEntries(names.map((name) => [name, [] as number[][]])) as Record<
    Name,
    number[][]
  >
  for (let round = 0; round <= rounds; round++) {
    for (const name of names) {
      const calls = await repeat(works[name], times)
      if (round > 0) measured[name].push(calls)
    }
  }
  return measured
}

async function repeat(work: Work, times: number): Promise<number[]> {
  const calls: number[] = []
  for (let n = 0; n < times; n++) {
    const started = performance.now()
    await work()
    calls.push(performance.now() - started)
  }
  return calls
}

/** How the rounds of one thing compare with the same rounds of another: the median of the rounds' own ratios. */
export function ratioOfRounds(of: readonly number[][], to: readonly number[][], share = 0.5): number {
  if (of.length !== to.length) throw new RangeError('rounds must come in pairs')
  return median(of.map((round, n) => percentile(round, share) / percentile(to[n] ?? [], share)))
}

/** The value below which a share of the others lies, e.g. 0.95; of few values the nearest one. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]
  if (value === undefined) throw new RangeError('nothing was measured')
  return value
}

export const median = (values: readonly number[]): number => percentile(values, 0.5)
