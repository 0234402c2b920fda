// `node bench/kills.ts [300] [2000]`: kills the service so many times under writes, uploads and mails, each within so many
// milliseconds of being ready, and says what was lost.
import { killAgainAndAgain } from '#tests/support/kills.ts'

const kills = Number(process.argv[2] ?? 300)
const report = await killAgainAndAgain({
  kills,
  upToMs: Number(process.argv[3] ?? 2_000),
  onKill: (kill, victim, restartMs) =>
    console.log(`${kill + 1} of ${kills}: ${victim}, back after ${Math.round(restartMs)} ms`),
})
const { acknowledged, lost, rowsWithoutBytes, restartMs } = report
const sorted = restartMs.toSorted((a, b) => a - b)
console.log(`
Acknowledged: ${acknowledged.rows} rows, ${acknowledged.files} files, ${acknowledged.mails} mails
Lost:         ${lost.rows.length} rows, ${lost.files.length} files, ${lost.mails.length} mails
${rowsWithoutBytes}
Restart:      median ${Math.round(sorted[sorted.length >> 1] ?? 0)} ms, longest ${Math.round(sorted.at(-1) ?? 0)} ms`)
if (lost.rows.length + lost.files.length + lost.mails.length > 0) process.exitCode = 1
