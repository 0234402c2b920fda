import { findListing, findLocations } from '#app/features/resources/find-listing.ts'
import type { Measure } from '#bench/report/report.ts'
import { parseListing } from '#domain/listing.ts'
import { startPostgres } from '#tests/support/postgres-server.ts'
import { type OpenLibrary, openInPostgres } from '../library/open-library.ts'
import { inRounds, percentile, ratioOfRounds, type Work } from '../measure/rounds.ts'

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

const listings = {
  listing: ['', 'page=2', 'page=5&size=24', 'size=48'],
  filter: [
    'grade=9',
    'gender=female',
    'gender=other',
    'location=Porto Hills',
    'grade=12&gender=male',
    'grade=6&page=3',
  ],
  'search, common words': ['q=friendship', 'q=parents', 'q=grief&grade=9', 'q=with your teen'],
  'search, rare words': [
    'q=badofeba',
    'q=volunteering',
    'q=no such words at all',
    'q=summer jobs&gender=female',
  ],
} as const

type Kind = keyof typeof listings
const kinds = Object.keys(listings) as Kind[]

/** What one kind of page asks of the library: rows, their number, and the choices of the location filter. */
const questionsOf = ({ library }: OpenLibrary, kind: Kind): Work[] =>
  listings[kind].flatMap((search) =>
    ([undefined, 'reading', 'webinar'] as const).map((category) => async () => {
      const query = parseListing(new URLSearchParams(search), category)
      await Promise.all([findListing(library, query), findLocations(library, category)])
    }),
  )
