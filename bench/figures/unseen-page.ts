import { createElement } from 'react'
import { renderToReadableStream } from 'react-dom/server'
import { type EntryContext, ServerRouter } from 'react-router'
import { median, ratioOfRounds } from '#bench/measure/rounds.ts'
import { fetchRaw } from '#bench/measure/start-bare-server.ts'
import type { Measure } from '#bench/report/report.ts'
import { builtSite, type SiteBuild } from '#server/site/build.ts'
import { createRender } from '#server/site/render.ts'
import { type ServerProcess, startServer } from '#tests/support/server-process.ts'
import { inRounds } from '../measure/rounds.ts'

/** Found in the titles or descriptions of a dozen resources of the starter library; its spellings are enough to warm up. */
const WORDS = 'your child'
const SPELLINGS = 2 ** WORDS.replaceAll(' ', '').length
const listing = (words: string) => `/resources?${new URLSearchParams({ q: words })}&size=12`

/**
 * A search that nobody made yet, over HTTP: the database, the router, React, the policy's hashes and compression; against
 * React alone, which renders the same page from data that is at hand.
 */
export const unseenPage: Measure = async ({ rounds }) => {
  const site = await startServer()
  const renderAlone = await reactAlone(site)
  let asked = 0
  const { http, react } = await inRounds(
    {
      // As a browser says what it takes, and without unpacking it: that would be the visitor's work.
      http: () => fetchRaw(site.url + listing(spelling(asked++)), 'br'),
      react: renderAlone,
    },
    { rounds: Math.min(rounds, 6), times: SPELLINGS / 8 },
  )
  await site.remove()
  return [
    {
      name: 'Unseen search, against the bare React render of the same page',
      value: ratioOfRounds(http, react),
      unit: '×',
      budget: 2.5,
      wanted: 'at most',
      detail: `${median(http.flat()).toFixed(1)} ms against ${median(react.flat()).toFixed(1)} ms`,
    },
  ]
}

/** The same words in other capitals find the same, and are another address: no page of it is kept yet. */
function spelling(n: number): string {
  if (n >= SPELLINGS) throw new RangeError(`${WORDS} has no further spelling`)
  let bits = n
  return WORDS.replaceAll(/[a-z]/g, (letter) => {
    const isCapital = bits % 2 === 1
    bits >>= 1
    return isCapital ? letter.toUpperCase() : letter
  })
}

/**
 * Renders the page once as the service does, keeps what React was given, and renders it again from that: the whole
 * document with the data for the browser in it, of which nothing has to be waited for.
 */
async function reactAlone(site: ServerProcess): Promise<() => Promise<unknown>> {
  const build = await (await builtSite()).load()
  const url = site.url + listing(WORDS)
  const { context, data } = await givenToReact(site, build, url)
  // Where React Router keeps what it has read of its stream, which can be read only once.
  const read = [
    { done: false, value: data },
    { done: true, value: '' },
  ].map((result) => Object.assign(Promise.resolve(), { result }))
  return async () => {
    const serverHandoffStream = new ReadableStream<Uint8Array>()
    const atHand = { ...context, serverHandoffStream, renderMeta: { streamCache: { ...read } } }
    const body = await renderToReadableStream(createElement(ServerRouter, { context: atHand, url }))
    await body.allReady
    return new Response(body).arrayBuffer()
  }
}

interface Given {
  context: EntryContext
  data: string
}

async function givenToReact(site: ServerProcess, build: SiteBuild, url: string): Promise<Given> {
  const { promise, resolve } = Promise.withResolvers<Given>()
  const entry = build.entry.module
  const observed: SiteBuild = {
    ...build,
    entry: {
      module: {
        ...entry,
        async default(request, status, headers, context, loadContext) {
          const data = await new Response(context.serverHandoffStream).text()
          resolve({ context, data })
          const unread = { ...context, serverHandoffStream: new Blob([data]).stream() }
          return entry.default(request, status, headers, unread, loadContext)
        },
      },
    },
  }
  const observedSite = { ...(await builtSite()), load: async () => observed }
  const settings = {
    ...{ siteUrl: site.url, apiUrl: site.url, publishableKey: site.keys.publishable },
    ...{ contactEmail: 'hello@example.org', earlyAccess: true, backups: 'nightly' as const },
  }
  const render = createRender(observedSite, {
    settings,
    api: { url: site.url, fetchFor: () => fetch },
    scriptNonce: 'bench',
  })
  await render(new Request(url), undefined)
  return promise
}
