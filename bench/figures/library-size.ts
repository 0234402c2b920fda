import { startPostgres } from '#tests/support/postgres-server.ts'
import { type OpenLibrary, openInPostgres } from '../library/open-library.ts'
import { type Kind, kinds, questionsOf } from '../library/questions.ts'
import { percentile } from '../measure/numbers.ts'
import { ratioOfRounds } from '../measure/ratio.ts'
import { inRounds, type Work } from '../measure/rounds.ts'
import type { Measure } from './figures.ts'

const SMALL = 1000
const LARGE = 100_000
const P95 = 0.95

/** Pages of a library of 100,000 resources against those of 1,000: the p95 of each kind, round by round. */
export const librarySize: Measure = async ({ rounds }) => {
  const servers = [await startPostgres(), await startPostgres()] as const
  const small = await openInPostgres(servers[0].url(), SMALL)
  const large = await openInPostgres(servers[1].url(), LARGE)
  const figures = []
  for (const kind of kinds) figures.push(await compareKind(kind, small, large, rounds))
  await small.close()
  await large.close()
  for (const server of servers) await server.remove()
  return figures
}

async function compareKind(kind: Kind, small: OpenLibrary, large: OpenLibrary, rounds: number) {
  const [few, many] = [small, large].map((library) => questionsOf(library, kind)) as [Work[], Work[]]
  const times = few.length * 3
  const measured = await inRounds({ few: oneByOne(few), many: oneByOne(many) }, { rounds, times })
  const [before, after] = [measured.few, measured.many].map((calls) => percentile(calls.flat(), P95))
  return {
    name: `100,000 resources against 1,000: ${kind}, p95`,
    value: ratioOfRounds(measured.many, measured.few, P95),
    unit: '×',
    budget: 3,
    wanted: 'at most',
    detail: `${after?.toFixed(1)} ms against ${before?.toFixed(1)} ms`,
  } as const
}

/** Asks the next question with each call, from the first again after the last. */
function oneByOne(questions: readonly Work[]): Work {
  let n = 0
  return async () => questions[n++ % questions.length]?.()
}
