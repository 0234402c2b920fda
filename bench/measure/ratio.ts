import { median, percentile } from './numbers.ts'

/** How the rounds of one thing compare with the same rounds of another: the median of the rounds' own ratios. */
export function ratioOfRounds(of: readonly number[][], to: readonly number[][], share = 0.5): number {
  if (of.length !== to.length) throw new RangeError('rounds must come in pairs')
  return median(of.map((round, n) => percentile(round, share) / percentile(to[n] ?? [], share)))
}
