import { describe, expect, it, test } from 'vitest'
import {
  compare,
  describeMachine,
  type Figure,
  isMet,
  markdownTable,
  type Report,
  shown,
  textTable,
} from './report.ts'

const size: Figure = { name: 'JavaScript', value: 121.04, unit: 'KB', budget: 130, wanted: 'at most' }
const speed: Figure = {
  name: 'Cached page',
  value: 48.2,
  unit: '%',
  budget: 60,
  wanted: 'at least',
  detail: 'of 900',
}

test.each<[Partial<Figure>, boolean]>([
  [{ value: 130 }, true],
  [{ value: 130.1 }, false],
  [{ value: 130, wanted: 'at least' }, true],
  [{ value: 129.9, wanted: 'at least' }, false],
])('a figure with %j is met: %s', (change, met) => {
  expect(isMet({ ...size, ...change })).toBe(met)
})

describe('the table', () => {
  it('shows each figure beside its budget, and shouts what was missed', () => {
    expect(textTable([size, speed])).toBe(
      [
        'What         Figure    Budget    Verdict  Detail',
        'JavaScript   121.0 KB  ≤ 130 KB  met',
        'Cached page  48 %      ≥ 60 %    MISSED   of 900',
      ].join('\n'),
    )
  })

  it('is Markdown too', () => {
    expect(markdownTable([size]).split('\n')).toEqual([
      '| What | Figure | Budget | Verdict |',
      '| --- | --- | --- | --- |',
      '| JavaScript | 121.0 KB | ≤ 130 KB | met |',
    ])
  })

  it.each([
    [1.357, '×', '1.36 ×'],
    [4.26, 's', '4.3 s'],
    [100, 'points', '100'],
    [438.6, 'MB', '439 MB'],
  ] as const)('writes %d %s as %j', (value, unit, text) => {
    expect(shown(value, unit)).toBe(text)
  })
})

describe('two runs compared', () => {
  const run = (measuredAt: string, figures: Figure[], cores = 2): Report => ({
    measuredAt,
    machine: { ...describeMachine(), cores },
    figures,
  })

  it('show what changed, and what only one of them knows', () => {
    const text = compare(run('Monday', [size]), run('Tuesday', [{ ...size, value: 242.08 }, speed]))
    expect(text.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['What', 'Monday', 'Tuesday', 'Change'],
      ['JavaScript', '121.0 KB', '242.1 KB', '100 %'],
      ['Cached page', '48 %'],
    ])
  })

  it('say when the machines differ', () => {
    expect(compare(run('a', [size]), run('b', [size]))).not.toContain('differ')
    expect(compare(run('a', [size]), run('b', [size], 64))).toContain('The machines differ')
  })
})
