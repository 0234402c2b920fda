import { createElement } from 'react'
import { renderToReadableStream } from 'react-dom/server'
import { type EntryContext, ServerRouter } from 'react-router'
import { median, ratioOfRounds } from '#bench/measure/rounds.ts'
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
      http: async () => (await fetch(site.url + listing(spelling(asked++)))).arrayBuffer(),
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

/** Renders the page once as the service does, keeps what React was given, and renders it again from that. */
async function reactAlone(site: ServerProcess): Promise<() => Promise<unknown>> {
  const build = await (await builtSite()).load()
  const url = site.url + listing(WORDS)
  const context = await contextOf(site, build, url)
  // The stream of data for the browser can be read only once; it is not React's.
  const { serverHandoffStream: _, ...atHand } = context
  return async () => {
    const page = createElement(ServerRouter, { context: { ...atHand, renderMeta: {} }, url })
    const body = await renderToReadableStream(page)
    await body.allReady
    return new Response(body).arrayBuffer()
  }
}

async function contextOf(site: ServerProcess, build: SiteBuild, url: string): Promise<EntryContext> {
  const { promise, resolve } = Promise.withResolvers<EntryContext>()
  const entry = build.entry.module
  const observed: SiteBuild = {
    ...build,
    entry: {
      module: {
        ...entry,
        default(request, status, headers, context, loadContext) {
          resolve(context)
          return entry.default(request, status, headers, context, loadContext)
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
