import type { Figure } from '#bench/report/report.ts'

/** How thorough a run is. */
interface Effort {
  quick: boolean
  /** Rounds of measurements that are compared pair by pair. */
  rounds: number
}

/** Measures one or more lines of the table. */
export type Measure = (effort: Effort) => Promise<Figure[]>
