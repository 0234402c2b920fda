import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { openToAllOrigins } from '#server/http/cors.ts'
import type { AuthEnv } from './context.ts'
import { authErrors } from './errors.ts'
import { echoVersion, renderError } from './render-error.ts'
import type { Services } from './services.ts'

const MAX_BODY_BYTES = 64 * 1024
/** What other origins may read (protocol.md section 1). */
const EXPOSED = [
  'X-Total-Count',
  'Link',
  'X-Supabase-Api-Version',
  'x-sb-error-code',
  'Retry-After',
  'X-Request-Id',
]

/** An app with what all account calls have around them, still without any route. */
export function createSurroundings(services: Services): Hono<AuthEnv> {
  const auth = new Hono<AuthEnv>()
  auth.onError((error, c) => renderError(c, error, services.log))
  auth.use(openToAllOrigins(EXPOSED))
  auth.use(async function provideServices(c, next) {
    c.set('services', services)
    echoVersion(c)
    // Answers hold tokens and addresses.
    c.header('Cache-Control', 'no-store')
    return next()
  })
  auth.use(bodyLimit({ maxSize: MAX_BODY_BYTES, onError: refuseBody }))
  return auth
}

const refuseBody = (): never => {
  throw authErrors.bodyTooLarge()
}
