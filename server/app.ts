import type { RequestListener } from 'node:http'
import { getRequestListener, type Http2Bindings, type HttpBindings } from '@hono/node-server'
import { Hono, type MiddlewareHandler } from 'hono'
import type { Logger } from 'pino'
import type { Backend } from './backend/port.ts'
import type { Config } from './config/config.ts'
import type { Admission } from './http/admission.ts'
import { securityHeaders } from './http/headers.ts'
import { logAnswersIn, type RequestEnv, requestLog, withRequestId } from './http/request-log.ts'
import type { Meters } from './metrics/meters.ts'
import { type Site, serveAssets } from './site/build.ts'
import { bothObservers } from './site/content-watch.ts'
import { createFastPath, type FastPath } from './site/fast-path.ts'
import { createSite } from './site/index.ts'
import { createPageCache, noPageCache } from './site/page-cache.ts'
import { createPageAnswers, type PageAnswers } from './site/render.ts'

interface AppDeps {
  config: Config
  backend: Backend
  site: Site
  admission: Admission
  meters: Meters | undefined
  log: Logger
}

type Connection = HttpBindings | Http2Bindings

interface App {
  listener: RequestListener
  close(): Promise<void>
}

/** The only composition root: what surrounds every request, the protocol servers, and the site that reaches them. */
export async function createApp({ config, backend, site, admission, meters, log }: AppDeps): Promise<App> {
  const pages = site.mode === 'production' ? createPageCache() : noPageCache
  const cache = meters ? meters.countHits(pages) : pages
  const answers = createPageAnswers()
  const watch = await backend.watchContent(bothObservers(cache, answers.observer))
  const app = new Hono<RequestEnv & { Bindings: Connection }>()
  const secure = securityHeaders({
    https: config.siteUrl.startsWith('https:'),
    hstsSubdomains: config.hstsSubdomains,
  })
  const logAnswer = meters ? meters.countAnswers(logAnswersIn(log)) : logAnswersIn(log)
  app.use(withRequestId(), requestLog(logAnswer), secure)
  app.onError((error, c) => {
    log.error({ err: error, requestId: c.var.requestId }, 'request failed')
    return c.text(
      `Something went wrong on our side. If it stays so, tell us this number: ${c.var.requestId}`,
      500,
    )
  })
  app.route('/', createHealth(backend.ready))
  if (backend.protocols) app.route('/', backend.protocols)
  if (site.mode === 'production') app.use(serveAssets())
  app.route(
    '/',
    createSite({
      services: siteServices(config, backend, answers),
      site,
      cache,
      watch,
      admission,
      hostedUrl: config.hosted?.url,
    }),
  )
  const fastPath = createFastPath({ cache, watch, headers: await headersSetBy(secure), logAnswer })
  const handlers = getRequestListener(app.fetch)
  return {
    listener: withFastPath(fastPath, handlers, log),
    close: () => watch.stop(),
  }
}

/** Out here nobody else would catch what fails, and it must not take the process with it. */
function withFastPath(fastPath: FastPath, handlers: RequestListener, log: Logger): RequestListener {
  const failed = (error: unknown) => log.error({ err: error }, 'the fast path failed')
  return (request, response) => {
    const orHandlers = (isSent: boolean) => {
      if (!isSent) handlers(request, response)
    }
    try {
      const isSent = fastPath(request, response)
      if (typeof isSent === 'boolean') return orHandlers(isSent)
      void isSent
        .catch((error) => {
          failed(error)
          return response.headersSent
        })
        .then(orHandlers)
    } catch (error) {
      failed(error)
      orHandlers(response.headersSent)
    }
  }
}

/** The headers that a middleware puts on every answer. */
const headersSetBy = async (middleware: MiddlewareHandler): Promise<Record<string, string>> => {
  const answer = await new Hono()
    .use(middleware)
    .get('/', (c) => c.body(null))
    .request('/')
  return Object.fromEntries(answer.headers)
}

const siteServices = (config: Config, backend: Backend, answers: PageAnswers) => ({
  settings: {
    siteUrl: config.siteUrl,
    apiUrl: backend.apiUrl,
    publishableKey: backend.publishableKey,
    contactEmail: config.contactEmail,
    earlyAccess: config.earlyAccess,
    backups: config.hosted ? ('hosted' as const) : config.backup.at ? ('nightly' as const) : ('off' as const),
  },
  api: {
    url: backend.apiUrl,
    fetchFor: (client: string | undefined) => answers.remember(backend.fetchFor(client)),
  },
})

/** `GET /healthz`: the process is up. `GET /readyz`: it can serve, which `check` proves by not rejecting. */
function createHealth(check: () => Promise<void>): Hono {
  const health = new Hono()
  health.get('/healthz', (c) => c.json({ status: 'ok' }))
  health.get('/readyz', async (c) => {
    const problem = await check().then(
      () => undefined,
      (error: Error) => error.message,
    )
    return problem ? c.json({ status: 'unavailable', problem }, 503) : c.json({ status: 'ready' })
  })
  return health
}
