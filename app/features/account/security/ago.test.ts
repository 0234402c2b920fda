import { expect, it } from 'vitest'
import { ago } from './ago.ts'

const now = Date.parse('2026-03-10T12:00:00Z')

it.each([
  ['2026-03-10T12:00:00Z', 'just now'],
  ['2026-03-10T12:03:00Z', 'just now'],
  ['2026-03-10T11:59:00Z', '1 minute ago'],
  ['2026-03-10T09:00:00.5Z', '2 hours ago'],
  ['2026-03-09T11:00:00Z', 'yesterday'],
  ['2026-03-03T12:00:00Z', 'last week'],
  ['2025-12-01T12:00:00Z', '3 months ago'],
  ['no time', 'just now'],
])('%s was %s', (time, text) => {
  expect(ago(time, now)).toBe(text)
})
