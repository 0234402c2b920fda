import { expect, it } from 'vitest'
import { inRuns } from './uploads.ts'

async function* source(...sizes: number[]) {
  let next = 0
  for (const size of sizes) yield Uint8Array.from({ length: size }, () => next++)
}

it.each([
  [[], 4],
  [[0, 0], 4],
  [[1, 1, 1], 4],
  [[10], 4],
  [[3, 6, 0, 2], 4],
  [[4, 4], 4],
])('chunks of %j come in runs of %i, in order and complete', async (sizes, length) => {
  const runs = inRuns(source(...sizes))
  const found: number[][] = []
  while (!(await runs.isOver())) {
    const run: number[] = []
    for await (const piece of runs.take(length)) run.push(...piece)
    found.push(run)
  }
  const total = sizes.reduce((sum, size) => sum + size, 0)
  expect(found.flat()).toEqual(Array.from({ length: total }, (_, i) => i))
  expect(found.slice(0, -1).every((run) => run.length === length)).toBe(true)
})
