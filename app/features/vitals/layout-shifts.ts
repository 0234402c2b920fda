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
