import { beforeEach, describe, expect, it } from 'vitest'
import { safeStorage } from '#app/ui/store.ts'
import { keepRecord, type Metric, type VitalRecord } from './records.ts'

const url = 'https://site.example/resources'
let text: string | null
const storage = {
  getItem: () => text,
  setItem: (_key: string, value: string) => {
    text = value
  },
} as unknown as Storage
const store = safeStorage(() => storage)
const records = (): VitalRecord[] => JSON.parse(text ?? '[]')
const keep = (metric: Metric, value: number, timestamp: number, since = 0) =>
  keepRecord(store, { metric, value, timestamp, url }, since)

beforeEach(() => {
  text = null
})

describe('keepRecord', () => {
  it('keeps metric, value, status, timestamp and address', () => {
    keep('LCP', 2600, 7)
    expect(records()).toEqual([
      { metric: 'LCP', value: 2600, status: 'needs-improvement', timestamp: 7, url },
    ])
  })

  it('keeps the last ten', () => {
    for (let view = 1; view <= 12; view++) keep('LCP', view, view, view)
    expect(records().map(({ value }) => value)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  })

  it('replaces the value that a measure had earlier in the same page view', () => {
    keep('CLS', 0, 10, 5)
    keep('CLS', 0.3, 20, 5)
    expect(records().map(({ value }) => value)).toEqual([0.3])
  })

  it('keeps the value of an earlier view of the same page', () => {
    keep('CLS', 0.2, 10, 5)
    keep('CLS', 0, 30, 25)
    expect(records().map(({ value }) => value)).toEqual([0.2, 0])
  })

  it.each(['{', 'null', '"text"', '[null, 3]'])('starts again when the store holds %j', (garbage) => {
    text = garbage
    keep('FID', 20, 1)
    expect(records().at(-1)).toMatchObject({ metric: 'FID', status: 'good' })
  })

  it('is not in the way when the store is full', () => {
    const full = {
      getItem: () => null,
      setItem: () => {
        throw new DOMException('full', 'QuotaExceededError')
      },
    } as unknown as Storage
    const storage = safeStorage(() => full)
    expect(() => keepRecord(storage, { metric: 'FCP', value: 1, timestamp: 1, url }, 0)).not.toThrow()
  })
})
