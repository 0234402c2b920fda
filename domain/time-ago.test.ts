import { expect, it } from 'vitest'
import { timeAgo } from './time-ago.ts'

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
