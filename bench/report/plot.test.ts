import { expect, it } from 'vitest'
import { plot } from './report.ts'

const series = (name: string, ...times: number[]) => ({
  name,
  points: times.map((time, n) => [1000 * 10 ** n, time] as const),
})

it('draws a line for each series, level where nothing grows, and never one label on another', () => {
  const svg = plot([
    {
      title: 'PostgreSQL',
      series: [series('level', 2, 2, 2), series('growing', 1, 10, 100), series('close', 2, 2, 2.1)],
    },
  ])
  const lines = [...svg.matchAll(/<polyline points="([^"]+)"/g)].map(([, points = '']) =>
    points.split(' ').map((point) => Number(point.split(',')[1])),
  )
  expect(new Set(lines[0]).size).toBe(1)
  const [first = 0, second = 0, third = 0] = lines[1] ?? []
  expect(first - second).toBeCloseTo(second - third, 0)
  expect(first).toBeGreaterThan(third)
  const labels = [...svg.matchAll(/y="([\d.]+)" style/g)].map(([, y]) => Number(y)).sort((a, b) => a - b)
  for (const [n, y] of labels.entries())
    if (n > 0) expect(y - (labels[n - 1] ?? 0)).toBeGreaterThanOrEqual(14)
  expect(svg).toContain('>PostgreSQL</text>')
})
