import { LRUCache } from 'lru-cache'
import { createRequestHandler, type RequestHandler, RouterContextProvider } from 'react-router'
import type { SiteSettings } from '#app/session/site.ts'
import type { Site, SiteBuild } from './build.ts'
import type { ContentObserver } from './content-watch.ts'

/** What pages are rendered with. */
export interface RenderServices {
  settings: SiteSettings
  /** Where loaders ask, and how, on behalf of the client whose page it is. */
  api: { url: string; fetchFor: (client: string | undefined) => typeof fetch }
  scriptNonce: string
}

export interface RenderedPage {
  status: number
  headers: Headers
  /** Text for a page, bytes for anything else. */
  body: string | Uint8Array
}

type Render = (request: Request, client: string | undefined) => Promise<RenderedPage>

/** Renders a page, or its `.data`, as a visitor sees it. The whole body is gathered: pages are small and get cached. */
export function createRender(site: Site, { api, ...services }: RenderServices): Render {
  return async (request, client) => {
    const build = await site.load()
    const context = new RouterContextProvider()
    let html: string | undefined
    context.set(build.entry.module.servicesContext, {
      ...services,
      api: { url: api.url, fetch: api.fetchFor(client) },
      takeHtml: (page) => {
        html = page
      },
    })
    const response = await handlerOf(build, site.mode)(request, context)
    const { status, headers } = response
    const body = response.body ? new Uint8Array(await response.arrayBuffer()) : (html ?? '')
    return { status, headers, body }
  }
}

/** One handler for a build: it is made of all routes, and would be made anew for each request. */
const handlers = new WeakMap<SiteBuild, RequestHandler>()
function handlerOf(build: SiteBuild, mode: Site['mode']): RequestHandler {
  const known = handlers.get(build)
  if (known) return known
  const made = createRequestHandler(build, mode)
  handlers.set(build, made)
  return made
}

interface Answer {
  status: number
  headers: [string, string][]
  body: ArrayBuffer
}

const MAX_BYTES = 2 * 1024 * 1024
/** Choices and counts; lists of resources are kept as the pages that show them. */
const LARGEST_ANSWER = 16 * 1024

/** What pages ask of the library, remembered for other pages that ask the same. */
export interface PageAnswers {
  /** The same fetch; what has been answered since the last change is not asked again. */
  remember(ask: typeof fetch): typeof fetch
  /** To be told of changes: whatever happens, nothing that was answered before counts any more. */
  observer: ContentObserver
}

/** Every search that nobody made before offers the same choices of places; they are asked once for all. */
export function createPageAnswers(): PageAnswers {
  const answers = new LRUCache<string, Answer>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ body }, url) => body.byteLength + 2 * url.length + 500,
  })
  let generation = 0
  /** While changes may happen unseen, nothing is remembered. */
  let isTrusted = true
  const forget = () => {
    generation++
    answers.clear()
  }
  return {
    remember: (ask) => async (input, init) => {
      const url = keyOf(input, init)
      if (!url || !isTrusted) return ask(input, init)
      const known = answers.get(url)
      if (known) return new Response(known.body, known)
      const asked = generation
      const response = await ask(input, init)
      if (response.status !== 200 || Number(response.headers.get('content-length') ?? 0) > LARGEST_ANSWER)
        return response
      const { status } = response
      const answer = { status, headers: [...response.headers], body: await response.arrayBuffer() }
      if (asked === generation && answer.body.byteLength <= LARGEST_ANSWER) answers.set(url, answer)
      return new Response(answer.body, answer)
    },
    observer: {
      expire: forget,
      purge: forget,
      doubt() {
        isTrusted = false
        forget()
      },
      trust() {
        isTrusted = true
      },
    },
  }
}

/** Pages ask as visitors do, all with the same key; only what is read is remembered, and how it was to be read. */
function keyOf(input: RequestInfo | URL, init: RequestInit | undefined): string | undefined {
  const request = input instanceof Request ? input : undefined
  if ((init?.method ?? request?.method ?? 'GET') !== 'GET') return undefined
  const headers = new Headers(init?.headers ?? request?.headers)
  return [
    request?.url ?? String(input),
    headers.get('accept'),
    headers.get('prefer'),
    headers.get('range'),
  ].join(' ')
}
