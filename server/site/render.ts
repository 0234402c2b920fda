import { createRequestHandler, type RequestHandler, RouterContextProvider } from 'react-router'
import type { SiteSettings } from '#app/session/site.ts'
import type { Site, SiteBuild } from './build.ts'

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

export type Render = (request: Request, client: string | undefined) => Promise<RenderedPage>

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
