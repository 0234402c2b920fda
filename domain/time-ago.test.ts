import { expect, it } from 'vitest'
import { timeAgo, timeAgoWithWeeks } from './time-ago.ts'

const now = Date.parse('2026-11-20T12:00:00Z')

it.each([
  ['2026-11-20T11:59:30Z', 'just now'],
  ['2026-11-20T12:00:05Z', 'just now'],
  ['2026-11-20T11:59:00+00:00', '1 minute ago'],
  ['2026-11-20T11:01:00Z', '59 minutes ago'],
  ['2026-11-20T10:00:00Z', '2 hours ago'],
  ['2026-11-19T11:00:00Z', 'yesterday'],
  ['2026-11-08T11:00:00Z', '12 days ago'],
  ['2026-10-11T12:00:00Z', 'last month'],
  ['2025-11-20T12:00:00Z', '12 months ago'],
  ['no moment', 'just now'],
])('%s was %s', (moment, words) => {
  expect(timeAgo(moment, now)).toBe(words)
})

it.each([
  ['2026-03-10T12:00:00Z', 'just now'],
  ['2026-03-10T12:03:00Z', 'just now'],
  ['2026-03-10T11:59:00Z', '1 minute ago'],
  ['2026-03-10T09:00:00.5Z', '2 hours ago'],
  ['2026-03-09T11:00:00Z', 'yesterday'],
  ['2026-03-03T12:00:00Z', 'last week'],
  ['2025-12-01T12:00:00Z', '3 months ago'],
  ['no time', 'just now'],
])('%s was %s, with weeks', (time, text) => {
  expect(timeAgoWithWeeks(time, Date.parse('2026-03-10T12:00:00Z'))).toBe(text)
})
