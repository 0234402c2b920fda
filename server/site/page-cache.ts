import { LRUCache } from 'lru-cache'
import { listingKeys } from '#domain/listing.ts'
import { Busy } from '#server/http/fair-gate.ts'
import type { ContentObserver } from './content-watch.ts'
import { type DeliverablePage, pageBytes } from './page-delivery.ts'

/** All cached pages together; the least recently used go first. */
const MAX_BYTES = 64 * 1024 * 1024
/** Dates such as the footer's year grow stale even when the library does not change. */
const MAX_AGE_MS = 60 * 60 * 1000

/**
 * While changes may happen unseen, pages from memory are shown for so long and no longer: one that was made private
 * meanwhile must not stay. An hour would be kinder to readers, a minute to editors.
 */
const UNSEEN_MS = 5 * 60 * 1000
/** While the library cannot be reached, a page that is in memory does not wait for another attempt at each request. */
const NEXT_ATTEMPT_MS = 1_000

/** Pages as a visitor sees them, by address. */
export interface PageCache extends ContentObserver {
  /**
   * The cached page, or the one that `render` makes; one render at a time per key. `admit` lets a render begin, or
   * throws: who asks for a page that is being made already needs no turn. The last good page stands in for one that
   * cannot be made now (503, Busy), unless it may show what is no longer public.
   */
  get(key: string, render: () => Promise<DeliverablePage>, admit?: Admit): Promise<DeliverablePage>
  /** The page, if it is there and nothing has changed since, as far as anybody can know. */
  fresh(key: string): DeliverablePage | undefined
}

type Admit = (work: () => Promise<DeliverablePage>) => Promise<DeliverablePage>
const atOnce: Admit = (work) => work()

interface Kept {
  page: DeliverablePage
  generation: number
  /** By `now`. */
  renderedAt: number
}

/** A bounded cache of finished pages (design, section 5). Only whole pages are kept: errors and misses are always rendered. */
export function createPageCache({ now = () => performance.now() } = {}): PageCache {
  const pages = new LRUCache<string, Kept>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ page }) => pageBytes(page),
  })
  const underWay = new Map<string, Promise<DeliverablePage>>()
  let generation = 0
  /** Since when changes may have happened unseen. */
  let doubtedAt: number | undefined
  let failedAt = Number.NEGATIVE_INFINITY

  // A render that began before a change must not answer who asks after it.
  const flightOf = (key: string) => `${generation} ${key}`

  const renderOnce = (key: string, render: () => Promise<DeliverablePage>) => {
    const flight = flightOf(key)
    const current = underWay.get(flight)
    if (current) return current
    const started = generation
    const next = render()
      .then((page) => {
        if (isLasting(page) && started === generation) pages.set(key, { page, generation, renderedAt: now() })
        if (page.status === 503) failedAt = now()
        // It is no page any more, whatever memory says.
        else if (page.status !== 200) pages.delete(key)
        return page
      })
      .finally(() => underWay.delete(flight))
    underWay.set(flight, next)
    return next
  }

  const fresh = (key: string) => {
    const kept = doubtedAt === undefined ? pages.get(key) : undefined
    const isFresh = kept?.generation === generation && now() - kept.renderedAt < MAX_AGE_MS
    return isFresh ? kept.page : undefined
  }
  /** The last good page of an address, for as long as it is certain enough that all of it is public. */
  const lastGood = (key: string) =>
    doubtedAt === undefined || now() - doubtedAt < UNSEEN_MS ? pages.get(key)?.page : undefined

  return {
    fresh,
    async get(key, render, admit = atOnce) {
      const cached = fresh(key)
      if (cached) return cached
      const isAway = doubtedAt !== undefined && now() - failedAt < NEXT_ATTEMPT_MS
      const spared = isAway ? lastGood(key) : undefined
      if (spared) return spared
      // While somebody waits for a turn, another may have made the page.
      const inTurn = () => admit(async () => fresh(key) ?? renderOnce(key, render))
      // Looked up afterwards: what was there before the render may have been made private since.
      const orLastGood = (error: unknown) => {
        const page = error instanceof Busy ? lastGood(key) : undefined
        if (!page) throw error
        return page
      }
      const page = await (underWay.get(flightOf(key)) ?? inTurn()).catch(orLastGood)
      return page.status === 503 ? (lastGood(key) ?? page) : page
    },
    expire() {
      generation++
    },
    purge() {
      generation++
      pages.clear()
    },
    doubt({ isServerDown }) {
      if (isServerDown) doubtedAt = now()
      doubtedAt ??= now()
    },
    trust() {
      doubtedAt = undefined
    },
  }
}

/** Whole pages only: a page that had to leave something out says `no-store`. */
const isLasting = ({ status, headers }: DeliverablePage): boolean =>
  status === 200 && !headers['cache-control']?.includes('no-store')

/** For development: every page is rendered anew. */
export const noPageCache: PageCache = {
  fresh: () => undefined,
  get: (_key, render, admit = atOnce) => admit(render),
  expire: () => undefined,
  purge: () => undefined,
  doubt: () => undefined,
  trust: () => undefined,
}

/** Query keys that change what is rendered. All others are dropped, so that trackers' marks cannot split the cache. */
const meaningful = new Set<string>([...listingKeys, '_routes', 'index'])
/** Longer ones are noise or an attack; no page of ours has such an address. */
export const MAX_ADDRESS_LENGTH = 16 * 1024

const LINE_BREAKS = /%0[ad]|%e2%80%a[89]/gi

/**
 * The path without the encoded line breaks that copying a link from a mail can leave in it, and that no route of the
 * router matches; undefined where there are none. It never begins like a host.
 */
export function pathWithoutLineBreaks({ pathname }: URL): string | undefined {
  const path = pathname.replaceAll(LINE_BREAKS, '')
  return path === pathname ? undefined : path.replace(/^\/+/, '/')
}

/** The address that identifies a page: path and meaningful query keys in a fixed order. */
export function pageKey(url: URL): string {
  const pairs = [...url.searchParams]
    .filter(([key]) => meaningful.has(key))
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  const search = new URLSearchParams(pairs).toString()
  return search ? `${url.pathname}?${search}` : url.pathname
}
