import { setTimeout as pause } from 'node:timers/promises'
import { percentile } from '../measure/numbers.ts'

/** What became of the requests of one kind. */
export class Tally {
  readonly milliseconds: number[] = []
  readonly failures = new Map<string, number>()

  /** Times one request, body included; an answer of 400 and more, or none, is a failure, told by its status or code. */
  async time(ask: () => Promise<Response>): Promise<void> {
    const started = performance.now()
    try {
      const answer = await ask()
      await answer.arrayBuffer()
      if (answer.status >= 400) this.fail(String(answer.status))
      else this.milliseconds.push(performance.now() - started)
    } catch (error) {
      this.fail(error instanceof Error ? error.name : 'unknown')
    }
  }

  /** Number of answers, failures by kind, and percentiles in milliseconds. */
  row(): string[] {
    const failed = [...this.failures].map(([what, times]) => `${what}: ${times}`).join(', ')
    const times = this.milliseconds
    const shown =
      times.length > 0 ? [0.5, 0.95, 0.99, 1].map((share) => percentile(times, share).toFixed(1)) : []
    return [String(times.length), failed || '0', ...shown]
  }

  private fail(what: string) {
    this.failures.set(what, (this.failures.get(what) ?? 0) + 1)
  }
}

/** Somebody who asks again and again. */
export interface Actor {
  /** How many of them there are. */
  many: number
  /** How long each of them thinks in between. */
  pauseMs: number
  ask: (n: number) => Promise<Response>
}

/** Lets all of them ask until the time is over. Each begins at a moment of its own. */
export async function actUntil(end: number, { many, pauseMs, ask }: Actor): Promise<Tally> {
  const tally = new Tally()
  const one = async (first: number) => {
    await pause(Math.random() * pauseMs)
    for (let n = first; performance.now() < end; n += many) {
      await tally.time(() => ask(n))
      await pause(pauseMs)
    }
  }
  await Promise.all(Array.from({ length: many }, (_, first) => one(first)))
  return tally
}
