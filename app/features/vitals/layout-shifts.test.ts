import { describe, expect, it } from 'vitest'
import { measureShifts } from './watch.ts'

/** CLS after shifts at these times (ms), each of 0.1. */
const clsOf = (times: number[]) => {
  const add = measureShifts()
  return times.reduce((_, startTime) => add({ startTime, value: 0.1, hadRecentInput: false }), 0)
}

describe('measureShifts', () => {
  it('adds up shifts that follow each other within a second', () => {
    expect(clsOf([0, 500, 1400])).toBeCloseTo(0.3)
  })

  it('begins a new window after a second of rest and keeps the worst', () => {
    expect(clsOf([0, 500, 1500])).toBeCloseTo(0.2)
  })

  it('ends a window after five seconds', () => {
    expect(clsOf([0, 900, 1800, 2700, 3600, 4500, 5400])).toBeCloseTo(0.6)
  })

  it('leaves out what the reader caused', () => {
    const add = measureShifts()
    add({ startTime: 0, value: 0.1, hadRecentInput: false })
    expect(add({ startTime: 10, value: 0.9, hadRecentInput: true })).toBeCloseTo(0.1)
  })
})
