import pg from 'pg'
import { median, ratioOfRounds } from '#bench/measure/rounds.ts'
import type { Measure } from '#bench/report/report.ts'
import { summaryColumns } from '#domain/resource.ts'
import { startPostgres } from '#tests/support/postgres-server.ts'
import { openInPostgres } from '../library/open-library.ts'
import { inRounds } from '../measure/rounds.ts'

const columns = summaryColumns.split(',').map((name) => `"${name}"`)
const bareQuery = `select ${columns.join(', ')} from public.resources where public = $1
  order by featured desc, date desc, title, id limit 12`
const path = `/resources?select=${summaryColumns}&public=eq.true&order=featured.desc,date.desc,title.asc,id.asc&limit=12`

/** The listing's query through /rest/v1 against the bare query, on one connection to the same server. */
export const restListing: Measure = async ({ rounds }) => {
  const server = await startPostgres()
  const { ask, close } = await openInPostgres(server.url(), 1000)
  const client = new pg.Client({ connectionString: server.url() })
  await client.connect()
  const { bare, rest } = await inRounds(
    {
      bare: () => client.query(bareQuery, [true]),
      rest: async () => (await ask(path)).text(),
    },
    { rounds, times: 100 },
  )
  await client.end()
  await close()
  await server.remove()
  return [
    {
      name: 'Listing through /rest/v1, against the bare query',
      value: ratioOfRounds(rest, bare),
      unit: '×',
      budget: 2,
      wanted: 'at most',
      detail: `${median(rest.flat()).toFixed(2)} ms against ${median(bare.flat()).toFixed(2)} ms`,
    },
  ]
}
