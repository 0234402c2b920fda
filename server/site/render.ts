import { createRequestHandler, RouterContextProvider } from 'react-router'
import type { SiteServices } from '#app/session/services.ts'
import type { Site } from './build.ts'

export interface RenderedPage {
  status: number
  headers: Headers
  body: Uint8Array
}

export type Render = (request: Request) => Promise<RenderedPage>

/** Renders a page, or its `.data`, as a visitor sees it. The whole body is gathered: pages are small and get cached. */
export function createRender(site: Site, services: SiteServices): Render {
  return async (request) => {
    const build = await site.load()
    const context = new RouterContextProvider()
    context.set(build.entry.module.servicesContext, services)
    const response = await createRequestHandler(build, site.mode)(request, context)
    return {
      status: response.status,
      headers: response.headers,
      body: new Uint8Array(await response.arrayBuffer()),
    }
  }
}
