import { expect, test } from 'vitest'
import { localDate } from './dates.ts'

test('today is the day where the clock stands, also late in the evening', () => {
  expect(localDate(new Date(2026, 0, 5, 23, 59))).toBe('2026-01-05')
  expect(localDate(new Date(2026, 10, 20, 0, 1))).toBe('2026-11-20')
})
