import fc from 'fast-check'
import { afterEach, expect, it, test } from 'vitest'
import { localDate, longDate, shortDate } from './dates.ts'

const ownZone = process.env.TZ
afterEach(() => {
  if (ownZone === undefined) delete process.env.TZ
  else process.env.TZ = ownZone
})

test.each([
  ['2026-11-04', 'Nov 4, 2026', 'November 4, 2026'],
  ['2026-05-31', 'May 31, 2026', 'May 31, 2026'],
  ['2024-02-29', 'Feb 29, 2024', 'February 29, 2024'],
  ['2000-02-29', 'Feb 29, 2000', 'February 29, 2000'],
  ['0999-01-01', 'Jan 1, 999', 'January 1, 999'],
])('%s is "%s" and "%s"', (date, short, long) => {
  expect(shortDate(date)).toBe(short)
  expect(longDate(date)).toBe(long)
})

test.each([
  '',
  '2026-13-01',
  '2026-00-10',
  '2026-02-29',
  '1900-02-29',
  '2026-04-31',
  '2026-01-00',
  '4.11.2026',
  '2026-1-1',
  '2026-11-04T00:00:00Z',
  ' 2026-11-04',
  'yesterday',
])('%j is no date and shows nothing', (text) => {
  expect(shortDate(text)).toBe('')
  expect(longDate(text)).toBe('')
})

it.each([
  ['Pacific/Kiritimati', -840],
  ['America/Los_Angeles', 480],
])('shows the same day in %s', (zone, offset) => {
  process.env.TZ = zone
  expect(new Date('2026-01-01T00:00:00Z').getTimezoneOffset()).toBe(offset)
  expect(longDate('2026-01-01')).toBe('January 1, 2026')
})

it('agrees with the calendar of the platform on every day', () => {
  const long = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })
  const days = fc.date({ min: new Date('1900-01-01'), max: new Date('2199-12-31'), noInvalidDate: true })
  fc.assert(
    fc.property(days, (day) => {
      expect(longDate(day.toISOString().slice(0, 10))).toBe(long.format(day))
    }),
  )
})

test('today is the day where the clock stands, also late in the evening', () => {
  expect(localDate(new Date(2026, 0, 5, 23, 59))).toBe('2026-01-05')
  expect(localDate(new Date(2026, 10, 20, 0, 1))).toBe('2026-11-20')
})
