import { expect, it } from 'vitest'
import { killAgainAndAgain, victims } from '#tests/support/kills.ts'
import { NODE_COMPILE_CACHE } from '#tests/support/server-process.ts'

it('nothing acknowledged is lost, however often the service is killed', { timeout: 300_000 }, async () => {
  const report = await killAgainAndAgain({
    kills: 2 * victims.length,
    upToMs: 1_500,
    env: { NODE_COMPILE_CACHE },
  })
  expect(report.acknowledged.rows).toBeGreaterThan(10)
  expect(report.acknowledged.files).toBeGreaterThan(10)
  expect(report.acknowledged.mails).toBeGreaterThan(10)
  expect(report.lost).toEqual({ rows: [], files: [], mails: [] })
  expect(report.rowsWithoutBytes).toBe('Rows whose bytes are lost: 0')
})
