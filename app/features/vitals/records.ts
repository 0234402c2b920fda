import type { SafeStorage } from '#app/ui/store.ts'

/** One measurement (specification, section 3). */
export interface VitalRecord {
  metric: Metric
  value: number
  status: Status
  /** Milliseconds since 1970. */
  timestamp: number
  url: string
}

const recordsKey = 'web-vitals'
/** How many are kept; the oldest go (section 9). */
const LIMIT = 10

function stored(storage: SafeStorage): unknown[] {
  try {
    const records: unknown = JSON.parse(storage.get(recordsKey) ?? '[]')
    return Array.isArray(records) ? records : []
  } catch {
    return []
  }
}

/**
 * Keeps a measurement for as long as the tab lives. A measure that is still growing, such as CLS, replaces the value it
 * had earlier in the same page view.
 * @param record without its status, which follows from the value
 * @param since when the page view began; milliseconds since 1970
 */
export function keepRecord(storage: SafeStorage, record: Omit<VitalRecord, 'status'>, since: number) {
  const { metric, value, timestamp, url } = record
  const isEarlierValue = (other: Partial<VitalRecord> | null) =>
    other?.metric === metric && other.url === url && Number(other.timestamp) >= since
  const others = stored(storage).filter((other) => !isEarlierValue(other as Partial<VitalRecord> | null))
  const next: VitalRecord = { metric, value, status: rate(metric, value), timestamp, url }
  storage.set(recordsKey, JSON.stringify([...others, next].slice(-LIMIT)))
}

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
