import fc from 'fast-check'
import { expect, it, test } from 'vitest'
import { clockText, durationLabel, isoDuration, spokenDuration } from './duration.ts'

test.each([
  [0, '0 sec', 'PT0S', '0:00', '0 seconds'],
  [1, '1 sec', 'PT1S', '0:01', '1 second'],
  [59, '59 sec', 'PT59S', '0:59', '59 seconds'],
  [60, '1 min', 'PT1M', '1:00', '1 minute'],
  [270, '4 min 30 sec', 'PT4M30S', '4:30', '4 minutes 30 seconds'],
  [185, '3 min 5 sec', 'PT3M5S', '3:05', '3 minutes 5 seconds'],
  [3600, '60 min', 'PT1H', '1:00:00', '1 hour'],
  [3845, '64 min 5 sec', 'PT1H4M5S', '1:04:05', '1 hour 4 minutes 5 seconds'],
])('%i seconds are "%s", %s, %s, "%s"', (seconds, label, iso, clock, spoken) => {
  expect(durationLabel(seconds)).toBe(label)
  expect(isoDuration(seconds)).toBe(iso)
  expect(clockText(seconds)).toBe(clock)
  expect(spokenDuration(seconds)).toBe(spoken)
})

test.each([Number.NaN, Number.POSITIVE_INFINITY, -1])('%d, which audio can report, is nothing', (seconds) => {
  expect(durationLabel(seconds)).toBe('0 sec')
  expect(isoDuration(seconds)).toBe('PT0S')
  expect(clockText(seconds)).toBe('0:00')
  expect(spokenDuration(seconds)).toBe('0 seconds')
})

it('rounds a length and counts begun seconds of a clock as not yet over', () => {
  expect(durationLabel(59.7)).toBe('1 min')
  expect(isoDuration(59.7)).toBe('PT1M')
  expect(clockText(59.7)).toBe('0:59')
  expect(spokenDuration(59.7)).toBe('59 seconds')
})

it('loses no second in any label', () => {
  fc.assert(
    fc.property(fc.nat({ max: 400_000 }), (seconds) => {
      const [, minutes = '0'] = /(\d+) min/.exec(durationLabel(seconds)) ?? []
      const [, rest = '0'] = /(\d+) sec/.exec(durationLabel(seconds)) ?? []
      expect(Number(minutes) * 60 + Number(rest)).toBe(seconds)
      expect(
        clockText(seconds)
          .split(':')
          .reduce((sum, part) => sum * 60 + Number(part), 0),
      ).toBe(seconds)
    }),
  )
})
