import { serveStatic } from '@hono/node-server/serve-static'
import type { MiddlewareHandler } from 'hono'

const builtFiles = `${import.meta.dirname}/../../build/client`

/**
 * The built files: hashed ones for ever, others (favicon, social card) for an hour. Compressed copies made by the build
 * are sent where the browser takes them. Everything else goes on to the pages.
 */
export const serveAssets = (): MiddlewareHandler =>
  serveStatic({
    root: builtFiles,
    precompressed: true,
    onFound: (path, c) => {
      const hashed = path.includes('/assets/')
      c.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600')
    },
  })
