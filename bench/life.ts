// `node bench/life.ts`: how long each kind of request takes on a running service with the starter library, and how much
// of the processor's time it takes. The figures of docs/performance.md.
import { makeAccount, password } from '#tests/support/members.ts'
import { type ServerProcess, startServer } from '#tests/support/server-process.ts'
import { recordingOn } from './load/actors.ts'
import { processorSeconds } from './measure/process-usage.ts'
import { publicPages } from './measure/public-pages.ts'
import { median } from './measure/rounds.ts'
import { aligned } from './report/report.ts'

type Ask = (n: number) => Promise<Response>

interface Kind {
  times: number
  ask: Ask
}

async function kinds(site: ServerProcess): Promise<Record<string, Kind>> {
  const get = (path: string, headers: Record<string, string> = {}) => fetch(`${site.url}${path}`, { headers })
  const { article, podcast } = await publicPages(site.url)
  const { email } = await makeAccount(site, 'member')
  const apikey = site.keys.publishable
  const etag = (await get('/resources')).headers.get('etag') ?? ''
  const picture = firstAddress(await (await get('/resources')).text(), /\/storage\/v1\/render\/image\/[^"?]+/)
  const audio = await recordingOn(site.url + podcast)
  const signIn = {
    method: 'POST',
    headers: { apikey, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  }
  // A search that nobody made before: the page is not kept yet.
  const unseen = (n: number, data = '') => get(`/resources${data}?q=${(n + 100).toString(36)}`)
  const sizes = ['160', '320', '480', '640', '960', '1280', '1600']
  const variant = (n: number) => get(`${picture}?width=${sizes[n % 7]}&quality=50&format=webp`)
  return {
    'a page nobody asked for before': { times: 40, ask: (n) => unseen(n) },
    'a kept page': { times: 400, ask: () => get('/resources') },
    'a kept page that the browser has': {
      times: 400,
      ask: () => get('/resources', { 'if-none-match': etag }),
    },
    'an article': { times: 400, ask: () => get(article) },
    'the data of a page, first time': { times: 40, ask: (n) => unseen(1000 + n, '.data') },
    'the data of a page, kept': { times: 400, ask: () => get('/resources.data') },
    'a read of /rest/v1': {
      times: 400,
      ask: () => get('/rest/v1/resources?select=id,title&limit=12', { apikey }),
    },
    'a sign-in': { times: 10, ask: () => fetch(`${site.url}/auth/v1/token?grant_type=password`, signIn) },
    'a picture in a new size': { times: 7, ask: variant },
    'a picture, kept': { times: 100, ask: variant },
    '64 KB of a recording': { times: 200, ask: () => get(audio, { range: 'bytes=65536-131071' }) },
  }
}

function firstAddress(html: string, pattern: RegExp): string {
  const address = pattern.exec(html)?.[0]
  if (!address) throw new Error(`nothing on the page matches ${pattern}`)
  return address.replaceAll('&amp;', '&')
}

async function measure({ times, ask }: Kind, pid: number): Promise<string[]> {
  const before = await processorSeconds(pid)
  const took: number[] = []
  for (let n = 0; n < times; n++) {
    const started = performance.now()
    const answer = await ask(n)
    await answer.arrayBuffer()
    if (answer.status >= 400) throw new Error(`${answer.url} answered ${answer.status}`)
    took.push(performance.now() - started)
  }
  const busy = (1000 * ((await processorSeconds(pid)) - before)) / times
  return [median(took).toFixed(1), busy.toFixed(1)]
}

const site = await startServer({ env: { AUTH_RATE_LIMITS: 'off' } })
const rows = [['', 'ms', 'ms of processor']]
for (const [name, kind] of Object.entries(await kinds(site)))
  rows.push([name, ...(await measure(kind, site.process.pid ?? 0))])
console.log(aligned(rows))
await site.remove()
