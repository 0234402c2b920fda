import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { routePath } from 'hono/route'
import type { Logger } from 'pino'
import type { Database } from '#server/database/port.ts'
import { type Admission, createAdmission } from '#server/http/admission.ts'
import { openToAllOrigins } from '#server/http/headers.ts'
import type { ApiKeys } from '#server/tokens/api-keys.ts'
import { authenticate, type CallerEnv, type VerifyToken } from '#server/tokens/authenticate.ts'
import { createAdmit } from './admission.ts'
import { authenticationErrors, errorResponse } from './error-response.ts'
import { restErrors } from './errors.ts'
import { createPrepare, handle } from './handle.ts'
import type { RawRequest } from './request/parse.ts'
import type { Target } from './request/types.ts'
import { toResponse } from './response.ts'
import { createSchemaCache } from './schema-cache.ts'
import { limits, type RestSettings } from './settings.ts'

export interface RestDeps {
  db: Database
  settings: RestSettings
  keys: ApiKeys
  verifyToken: VerifyToken
  admission?: Admission
  /** Awaited after each request that may have changed something, before it is answered. */
  onChange?: () => Promise<void>
  log: Logger
}

/** /rest/v1, as PostgREST speaks it. Anyone with a key may ask; row-level security judges. */
export function createRest(deps: RestDeps): Hono<CallerEnv> {
  const { db, settings, keys, verifyToken, onChange, log } = deps
  const admit = createAdmit(deps.admission ?? createAdmission({ trustedProxies: 0 }))
  const schemaCache = createSchemaCache(db, settings.schemas, log)
  const prepare = createPrepare(settings)
  const answer = (kind: Target['kind']) => async (c: Context<CallerEnv>) => {
    const raw = await readRequest(c, { kind, name: c.req.param('name') ?? '' })
    const services = {
      db,
      prepare,
      schemaCache: await schemaCache(),
      caller: c.var.caller,
      signal: c.req.raw.signal,
      onChange,
    }
    // Reading and planning a request of 16 KB takes a while too, so its turn comes first.
    return toResponse(await admit(c, () => handle(raw, services)))
  }
  const rest = new Hono<CallerEnv>()
  rest.use(openToAllOrigins(EXPOSED))
  rest.use(limitAddress(limits.address))
  rest.use(authenticate({ keys, verifyToken, refuse: authenticationErrors }))
  rest.use(limitBody())
  rest.all('/rpc/:name', answer('routine'))
  rest.all('/:name', answer('relation'))
  rest.all('*', (c) => fail(isRoot(c) ? restErrors.rootOff() : restErrors.unknownPath()))
  rest.onError((error, c) => errorResponse(error, c.var.caller, log))
  return rest
}

/** What scripts of other origins may read (protocol.md section 1). */
const EXPOSED = [
  'Content-Range',
  'Content-Location',
  'Location',
  'Preference-Applied',
  'Content-Profile',
  'Content-Length',
]

/** Refuses by the length that is announced, and otherwise when that much has come; a visitor has less to say. */
function limitBody(): MiddlewareHandler<CallerEnv> {
  const upTo = (maxSize: number) =>
    bodyLimit({ maxSize, onError: () => fail(restErrors.bodyTooLarge(maxSize)) })
  const visitors = upTo(limits.visitorBody)
  const others = upTo(limits.body)
  return function limitBody(c, next) {
    // Asking for a body that is not there makes the server's adapter build a whole Request.
    if (!hasBody.has(c.req.method) && !announcesBody(c)) return next()
    return c.var.caller.role === 'anon' ? visitors(c, next) : others(c, next)
  }
}

const announcesBody = ({ req }: Context): boolean =>
  req.header('content-length') !== undefined || req.header('transfer-encoding') !== undefined

const limitAddress = (bytes: number): MiddlewareHandler =>
  function limitAddress(c, next) {
    if (c.req.url.length > bytes) throw restErrors.addressTooLong(bytes)
    return next()
  }

/** Nothing behind the place where this is mounted: the path is shorter than its route, which ends with a star. */
const isRoot = (c: Context): boolean => c.req.path.length < routePath(c).length

const fail = (error: Error): never => {
  throw error
}

const hasBody = new Set(['POST', 'PUT', 'PATCH'])

async function readRequest({ req }: Context, target: Target): Promise<RawRequest> {
  return {
    method: req.method,
    target,
    search: new URL(req.url).search,
    headers: req.header(),
    body: hasBody.has(req.method) ? new Uint8Array(await req.arrayBuffer()) : new Uint8Array(),
  }
}
