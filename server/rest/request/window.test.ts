import { describe, expect, test } from 'vitest'
import { parseCount, resolveWindow } from './query.ts'

describe('parseCount', () => {
  test.each([
    ['5', 5],
    [' 5 ', 5],
    ['-1', -1],
    ['', undefined],
    ['abc', undefined],
    ['1.5', undefined],
    ['1e3', undefined],
  ])('%j', (text, expected) => expect(parseCount(text)).toBe(expected))
})

describe('resolveWindow', () => {
  test.each([
    [{}, { offset: 0 }],
    [{ limit: 3 }, { limit: 3, offset: 0 }],
    [
      { limit: 3, offset: 2 },
      { limit: 3, offset: 2 },
    ],
    [{ offset: -4 }, { offset: 0 }],
    [{ limit: 0 }, { limit: 0, offset: 0 }],
    [{ range: '0-9' }, { limit: 10, offset: 0 }],
    [{ range: 'items=5-9' }, { limit: 5, offset: 5 }],
    [{ range: '5-' }, { offset: 5 }],
    [{ range: 'bytes=0-9' }, { offset: 0 }],
    [{ range: 'x' }, { offset: 0 }],
    [
      { limit: 3, range: '0-1' },
      { limit: 2, offset: 0 },
    ],
    [
      { limit: 3, offset: 2, range: '3-' },
      { limit: 2, offset: 3 },
    ],
    [
      { limit: 0, range: '0-9' },
      { limit: 0, offset: 0 },
    ],
  ])('%j', (input, expected) => expect(resolveWindow(input)).toEqual(expected))

  test.each([
    [{ limit: -1 }, 'Limit should be greater than or equal to zero.'],
    [
      { range: '5-1' },
      'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
    ],
    [
      { limit: 2, range: '5-9' },
      'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
    ],
  ])('%j is refused', (input, details) =>
    expect(() => resolveWindow(input)).toThrow(
      expect.objectContaining({ status: 416, body: expect.objectContaining({ code: 'PGRST103', details }) }),
    ),
  )
})
