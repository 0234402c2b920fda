import { expect, it } from 'vitest'
import { type Metric, rate, type Status } from './records.ts'

// Specification, section 9: the limits themselves still belong to the better rating.
it.each<[Metric, number, Status]>([
  ['LCP', 2500, 'good'],
  ['LCP', 2501, 'needs-improvement'],
  ['LCP', 4000, 'needs-improvement'],
  ['LCP', 4001, 'poor'],
  ['FID', 100, 'good'],
  ['FID', 300, 'needs-improvement'],
  ['FID', 301, 'poor'],
  ['CLS', 0.1, 'good'],
  ['CLS', 0.25, 'needs-improvement'],
  ['CLS', 0.26, 'poor'],
  ['FCP', 1800, 'good'],
  ['FCP', 3000, 'needs-improvement'],
  ['FCP', 3001, 'poor'],
  ['TTFB', 800, 'good'],
  ['TTFB', 1800, 'needs-improvement'],
  ['TTFB', 1801, 'poor'],
])('rates %s of %d as %s', (metric, value, status) => {
  expect(rate(metric, value)).toBe(status)
})
