/** The value below which a share of the others lies, e.g. 0.95; of few values the nearest one. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]
  if (value === undefined) throw new RangeError('nothing was measured')
  return value
}

export const median = (values: readonly number[]): number => percentile(values, 0.5)
