import { readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import type { MiddlewareHandler } from 'hono'

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
