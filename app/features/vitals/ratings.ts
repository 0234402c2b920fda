/** The five measures of how a page felt (specification, section 9). */
export type Metric = 'LCP' | 'FID' | 'CLS' | 'FCP' | 'TTFB'
export type Status = 'good' | 'needs-improvement' | 'poor'

/** Up to the first number a value is good, above the second it is poor. Milliseconds, but for CLS. */
const limits: Readonly<Record<Metric, readonly [number, number]>> = {
  LCP: [2500, 4000],
  FID: [100, 300],
  CLS: [0.1, 0.25],
  FCP: [1800, 3000],
  TTFB: [800, 1800],
}

/** How good a value is. */
export function rate(metric: Metric, value: number): Status {
  const [good, poor] = limits[metric]
  if (value <= good) return 'good'
  return value <= poor ? 'needs-improvement' : 'poor'
}
