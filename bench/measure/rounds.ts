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
