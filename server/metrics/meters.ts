import { AggregatorRegistry, Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { Admission } from '#server/http/admission.ts'
import { Busy, type Gate } from '#server/http/fair-gate.ts'
import type { LogAnswer } from '#server/http/request-log.ts'
import type { PageCache } from '#server/site/page-cache.ts'
import { registerFigures, type ServiceFigures } from './serve.ts'

/** What one process counts while it works, in the form that Prometheus reads. All durations are in seconds. */
export interface Meters {
  registry: Registry
  /** Passes an answer on, and counts it by route, method and status. */
  countAnswers(logAnswer: LogAnswer): LogAnswer
  /** The same cache, with its hits and misses counted. */
  countHits(cache: PageCache): PageCache
  /** The same gates, with the time that callers wait at each, and how many are sent away. */
  timeWaits(admission: Admission): Admission
  /** Figures that are read anew for each scrape: database, jobs, mails, backups. */
  read(figures: () => Promise<ServiceFigures>): void
}

const SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Opens the meters of this process; as one of several workers it answers when the first process gathers all. */
export function openMeters(): Meters {
  const registry = new Registry()
  AggregatorRegistry.setRegistries([registry])
  new AggregatorRegistry() // Listens for the question of the first process.
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to its answer, by route, method and status',
    labelNames: ['route', 'method', 'status'],
    buckets: SECONDS,
    registers,
  })
  const pages = new Counter({
    name: 'page_cache_requests_total',
    help: 'Pages asked of the cache, by outcome',
    labelNames: ['outcome'],
    registers,
  })
  const waits = new Histogram({
    name: 'admission_wait_seconds',
    help: 'Time spent waiting for a turn, by gate',
    labelNames: ['gate'],
    buckets: SECONDS,
    registers,
  })
  const refusals = new Counter({
    name: 'admission_refused_total',
    help: 'Requests sent away because too much was going on, by gate',
    labelNames: ['gate'],
    registers,
  })

  const timed = (name: string, gate: Gate): Gate => {
    const enter: Gate['enter'] = async (...who) => {
      const stop = waits.startTimer({ gate: name })
      try {
        return await gate.enter(...who)
      } catch (error) {
        if (error instanceof Busy) refusals.inc({ gate: name })
        throw error
      } finally {
        stop()
      }
    }
    return {
      enter,
      async run(client, work, signal) {
        const place = await enter(client, signal)
        try {
          return await work()
        } finally {
          place.leave()
        }
      },
    }
  }

  return {
    registry,
    countAnswers: (logAnswer) => (answer) => {
      const { method, path, status, started } = answer
      const labels = { route: routeOf(path), method: knownMethod(method), status }
      requests.observe(labels, (performance.now() - started) / 1000)
      logAnswer(answer)
    },
    countHits: (cache) => ({
      ...cache,
      fresh(key) {
        const page = cache.fresh(key)
        if (page) pages.inc({ outcome: 'hit' })
        return page
      },
      get: (key, render, admit) =>
        cache.get(
          key,
          () => {
            pages.inc({ outcome: 'miss' })
            return render()
          },
          admit,
        ),
    }),
    timeWaits: (admission) => ({
      ...admission,
      renders: timed('renders', admission.renders),
      pageQueries: timed('page queries', admission.pageQueries),
      visitorQueries: timed('visitor queries', admission.visitorQueries),
      memberQueries: timed('member queries', admission.memberQueries),
      images: timed('images', admission.images),
      uploads: timed('uploads', admission.uploads),
      passwords: timed('passwords', admission.passwords),
    }),
    read: (figures) => registerFigures(registry, figures),
  }
}

/** Methods are made up freely by those who attack; each label costs memory for good. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const knownMethod = (method: string): string => (METHODS.has(method) ? method : 'other')

const PAGES = new Set(['/', '/login', '/profile', '/about', '/admin', '/privacy', '/terms', '/resources/new'])
const CATEGORIES = /^\/resources(\/(reading|podcast|webinar|community|session))?$/

/** The route that a path belongs to: few of them, whatever is asked. */
function routeOf(path: string): string {
  const page = path.replace(/\.data$/, '').replace(/^\/_root$/, '/')
  const kind = page === path ? '' : ' (data)'
  if (PAGES.has(page)) return page + kind
  if (CATEGORIES.test(page)) return `/resources${kind}`
  if (/^\/resource\/[^/]+$/.test(page)) return `/resource/{id}${kind}`
  if (page.startsWith('/resources/edit/')) return `/resources/edit/{id}${kind}`
  const [, first = '', version, subject = ''] = path.split('/')
  if (version === 'v1' && PROTOCOLS.has(first))
    return `/${first}/v1${SUBJECTS.has(subject) ? `/${subject}` : ''}`
  return SINGLES.has(first) ? `/${first}` : 'other'
}

const PROTOCOLS = new Set(['auth', 'rest', 'storage'])
const SUBJECTS = new Set([
  ...[
    'token',
    'signup',
    'otp',
    'verify',
    'recover',
    'user',
    'logout',
    'authorize',
    'callback',
    'factors',
    'admin',
  ],
  ...['resources', 'users', 'rpc', 'object', 'render', 'upload', 'bucket'],
])
const SINGLES = new Set(['assets', 'healthz', 'readyz', 'sitemap.xml', 'robots.txt', 'feeds'])
