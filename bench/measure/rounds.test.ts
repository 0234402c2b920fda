import { describe, expect, it } from 'vitest'
import { inRounds, median, percentile, ratioOfRounds } from './rounds.ts'

describe('percentile', () => {
  const hundred = Array.from({ length: 100 }, (_, n) => 100 - n)
  it.each([
    [0.5, 50],
    [0.95, 95],
    [1, 100],
    [0, 1],
  ])('%d of 1…100 is %i', (share, value) => expect(percentile(hundred, share)).toBe(value))

  it('needs something measured', () => {
    expect(() => median([])).toThrow(RangeError)
  })
})

describe('rounds', () => {
  it('take turns, and leave the first out as warm-up', async () => {
    const done: string[] = []
    const work = (name: string) => async () => done.push(name)
    const measured = await inRounds({ a: work('a'), b: work('b') }, { rounds: 2, times: 2 })
    expect(done.join('')).toBe('aabbaabbaabb')
    expect([measured.a, measured.b].map((rounds) => rounds.map(({ length }) => length))).toEqual([
      [2, 2],
      [2, 2],
    ])
  })

  it('are compared pair by pair, so that one slow round decides nothing', () => {
    expect(ratioOfRounds([[2], [2], [90]], [[1], [1], [1]])).toBe(2)
    // The machine was ten times as slow in the second round, for both.
    expect(ratioOfRounds([[3], [30], [3]], [[1], [10], [1]])).toBe(3)
    expect(() => ratioOfRounds([[1]], [])).toThrow(RangeError)
  })
})
