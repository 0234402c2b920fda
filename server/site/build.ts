import { readdirSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { join, relative, sep } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import type { MiddlewareHandler } from 'hono'
import type { ServerBuild } from 'react-router'
import type { servicesContext } from '#app/session/site.ts'

/** React Router's build of the site, whose entry module also exports the context key that loaders read. */
export interface SiteBuild extends ServerBuild {
  entry: ServerBuild['entry'] & {
    module: ServerBuild['entry']['module'] & { servicesContext: typeof servicesContext }
  }
}

/** The site as the service runs it: built for production, or under development with hot reload. */
export interface Site {
  mode: 'production' | 'development'
  /** The newest build: always the same in production, the edited one in development. */
  load(): Promise<SiteBuild>
  /** Puts the development server's own handling in front of ours. */
  around(listener: RequestListener): RequestListener
  close(): Promise<void>
}

export type OpenSite = () => Promise<Site>

const serverBuild = new URL('../../build/server/index.js', import.meta.url)

/** The site that `npm run build` left. Errors: a missing build. */
export const builtSite: OpenSite = async () => {
  const build = (await import(serverBuild.href)) as SiteBuild
  return {
    mode: 'production',
    load: async () => build,
    around: (listener) => listener,
    close: async () => undefined,
  }
}

/** The site straight from its sources, through Vite: edits show at once in the open page. */
export const siteUnderDevelopment: OpenSite = async () => {
  const { createServer } = await import('vite')
  const vite = await createServer({ server: { middlewareMode: true }, appType: 'custom' })
  return {
    mode: 'development',
    load: async () => (await vite.ssrLoadModule('virtual:react-router/server-build')) as SiteBuild,
    around: (listener) => (request, response) =>
      vite.middlewares(request, response, () => listener(request, response)),
    close: () => vite.close(),
  }
}

const builtFiles = `${import.meta.dirname}/../../build/client`

/** A browser that held on to an old service worker would hold on to an old release. */
const cacheControl = (path: string): string => {
  if (path.includes('/assets/')) return 'public, max-age=31536000, immutable'
  // The path found is that of a compressed copy, where there is one.
  return /\/service-worker\.js(\.\w+)?$/.test(path) ? 'no-cache' : 'public, max-age=3600'
}

/** The paths of all built files. A build does not change while it is served, so pages need not ask the disk. */
function builtPaths(): Set<string> {
  const entries = readdirSync(builtFiles, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return new Set(
    files.map(
      ({ parentPath, name }) => `/${relative(builtFiles, join(parentPath, name)).replaceAll(sep, '/')}`,
    ),
  )
}

/**
 * The built files: hashed ones for ever, others (favicon, social card) for an hour. Compressed copies made by the build
 * are sent where the browser takes them. Everything else goes on to the pages.
 */
export function serveAssets(): MiddlewareHandler {
  const paths = builtPaths()
  const serve = serveStatic({
    root: builtFiles,
    precompressed: true,
    onFound: (path, c) => {
      c.header('cache-control', cacheControl(path))
    },
  })
  return async function serveAssets(c, next) {
    return paths.has(c.req.path) ? serve(c, next) : next()
  }
}
