import { safeSessionStorage } from '#app/ui/store.ts'
import { keepRecord, type Metric } from './records.ts'

/**
 * Measures this page view and keeps the values in session storage; nothing is sent anywhere. Called after the page has
 * loaded: the observers are told what happened before. A browser without a kind of entry has one measure less.
 */
export function watchVitals() {
  const url = window.location.href
  const keep = (metric: Metric, value: number) => {
    keepRecord(safeSessionStorage, { metric, value, timestamp: Date.now(), url }, performance.timeOrigin)
  }
  const addShift = measureShifts()

  observe('navigation', (entry) => keep('TTFB', (entry as PerformanceNavigationTiming).responseStart))
  observe('paint', ({ name, startTime }) => name === 'first-contentful-paint' && keep('FCP', startTime))
  observe('largest-contentful-paint', ({ startTime }) => keep('LCP', startTime))
  observe('first-input', (entry) => {
    const { processingStart, startTime } = entry as PerformanceEventTiming
    keep('FID', processingStart - startTime)
  })
  // A page on which nothing ever moves has a CLS too: the best one.
  if (observe('layout-shift', (entry) => keep('CLS', addShift(entry as PerformanceEntry & LayoutShift)))) {
    keep('CLS', 0)
  }
}

function observe(type: string, onEntry: (entry: PerformanceEntry) => void): boolean {
  if (!PerformanceObserver.supportedEntryTypes.includes(type)) return false
  new PerformanceObserver((list) => list.getEntries().forEach(onEntry)).observe({ type, buffered: true })
  return true
}

/** What the browser tells about one layout shift. */
export interface LayoutShift {
  startTime: number
  value: number
  hadRecentInput: boolean
}

const MAX_GAP_MS = 1000
const MAX_WINDOW_MS = 5000

/**
 * CLS: the worst session window of shifts that nobody caused, where a window ends after a second without a shift
 * and after five seconds at the latest. Gives a function that takes each shift and returns the value so far.
 */
export function measureShifts() {
  let worst = 0
  let sum = 0
  let first = Number.NEGATIVE_INFINITY
  let last = Number.NEGATIVE_INFINITY
  return ({ startTime, value, hadRecentInput }: LayoutShift): number => {
    if (hadRecentInput) return worst
    const goesOn = startTime - last < MAX_GAP_MS && startTime - first < MAX_WINDOW_MS
    sum = goesOn ? sum + value : value
    if (!goesOn) first = startTime
    last = startTime
    worst = Math.max(worst, sum)
    return worst
  }
}
