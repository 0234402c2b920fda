// `node bench/scale.ts [sizes…]`: what the site asks, in libraries of several sizes. Prints a table and draws
// docs/library-scale.svg. A million resources take minutes to load and some gigabytes of disk.
import { writeFile } from 'node:fs/promises'
import { findListing, findLocations } from '#app/features/resources/find-listing.ts'
import { findResource } from '#app/features/resources/find-resource.ts'
import { parseListing } from '#domain/listing.ts'
import { serviceRole } from '#server/tokens/caller.ts'
import { startPostgres } from '#tests/support/postgres-server.ts'
import { makeResource, type OpenLibrary, openInPostgres } from './library/open-library.ts'
import { inRounds, median, type Work } from './measure/rounds.ts'
import { aligned, type Panel, plot } from './report/report.ts'

const PICTURE = 'docs/library-scale.svg'
const sizes =
  process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1_000, 10_000, 100_000, 1_000_000]

type Times = Record<string, number>

async function measure(open: OpenLibrary, size: number): Promise<Times> {
  const works = questions(open, size)
  const measured = await inRounds(works, { rounds: 5, times: 3 })
  await open.close()
  return Object.fromEntries(Object.entries(measured).map(([name, rounds]) => [name, median(rounds.flat())]))
}

function questions({ library, db }: OpenLibrary, size: number): Record<string, Work> {
  const list = (search: string) => () => findListing(library, parseListing(new URLSearchParams(search)))
  // Page numbers have five digits at most.
  const pages = Math.min(Math.floor(size / 48), 99_999)
  const publicId =
    Array.from({ length: 20 }, (_, n) => makeResource(n)).find((resource) => resource.public)?.id ?? ''
  const write = `update public.resources set title = title || '' where id = $1`
  return {
    'first page': list(''),
    'filter by grade': list('grade=9'),
    'filter by gender': list('gender=other'),
    'filter by place': list('location=Porto Hills'),
    'common word': list('q=friendship'),
    'rare word': list('q=badofeba'),
    // Too short for the search indexes: in the largest library the database gives up, and how long that takes counts.
    'two letters': () => list('q=qz')().catch(() => undefined),
    'middle page': list(`size=48&page=${Math.ceil(pages / 2)}`),
    'last page': list(`size=48&page=${pages}`),
    places: () => findLocations(library, undefined),
    'one resource': () => findResource(library, publicId),
    write: () => db.asCaller(serviceRole, (tx) => tx.query(write, [publicId])),
  }
}

async function inPostgres(size: number): Promise<Times> {
  const server = await startPostgres()
  const times = await measure(await openInPostgres(server.url(), size), size)
  await server.remove()
  return times
}

const results: Array<[number, Times]> = []
for (const size of sizes) {
  const started = performance.now()
  results.push([size, await inPostgres(size)])
  process.stderr.write(`${size}: ${((performance.now() - started) / 1000).toFixed(0)} s\n`)
}
const names = Object.keys(results[0]?.[1] ?? {})
console.log('\nMilliseconds\n')
console.log(
  aligned([
    ['', ...sizes.map(String)],
    ...names.map((name) => [name, ...results.map(([, times]) => (times[name] ?? 0).toFixed(1))]),
  ]),
)
const panel: Panel = {
  title: 'PostgreSQL',
  series: names.map((name) => ({
    name,
    points: results.map(([size, times]) => [size, times[name] ?? 0] as const),
  })),
}
await writeFile(PICTURE, plot([panel]))
