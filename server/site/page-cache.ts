import { LRUCache } from 'lru-cache'
import { type DeliverablePage, pageBytes } from './deliver.ts'

/** All cached pages together; the least recently used go first. */
const MAX_BYTES = 64 * 1024 * 1024
/** Dates such as the footer's year grow stale even when the library does not change. */
const MAX_AGE_MS = 60 * 60 * 1000

/** Pages as a visitor sees them, by address. */
export interface PageCache {
  /**
   * The cached page, or the one that `render` makes; one render at a time per key. `admit` lets a render begin, or
   * throws: who asks for a page that is being made already needs no turn.
   */
  get(key: string, render: () => Promise<DeliverablePage>, admit?: Admit): Promise<DeliverablePage>
  /** The page, if it is there and nothing has changed since. */
  fresh(key: string): DeliverablePage | undefined
  /** Content changed: everything is stale at once. Stale pages are kept only for when rendering fails (503). */
  expire(): void
}

type Admit = (work: () => Promise<DeliverablePage>) => Promise<DeliverablePage>
const atOnce: Admit = (work) => work()

/** A bounded cache of finished pages (design, section 5). Only whole pages are kept: errors and misses are always rendered. */
export function createPageCache(): PageCache {
  const pages = new LRUCache<string, { page: DeliverablePage; generation: number }>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ page }) => pageBytes(page),
    ttl: MAX_AGE_MS,
  })
  const underWay = new Map<string, Promise<DeliverablePage>>()
  let generation = 0

  // A render that began before a change must not answer who asks after it.
  const flightOf = (key: string) => `${generation} ${key}`

  const renderOnce = (key: string, render: () => Promise<DeliverablePage>) => {
    const flight = flightOf(key)
    const current = underWay.get(flight)
    if (current) return current
    const started = generation
    const next = render()
      .then((page) => {
        if (isLasting(page) && started === generation) pages.set(key, { page, generation })
        return page
      })
      .finally(() => underWay.delete(flight))
    underWay.set(flight, next)
    return next
  }

  const fresh = (key: string) => {
    const cached = pages.get(key)
    return cached?.generation === generation ? cached.page : undefined
  }

  return {
    fresh,
    async get(key, render, admit = atOnce) {
      const cached = fresh(key)
      if (cached) return cached
      const stale = pages.get(key)
      // While somebody waits for a turn, another may have made the page.
      const inTurn = () => admit(async () => fresh(key) ?? renderOnce(key, render))
      const page = await (underWay.get(flightOf(key)) ?? inTurn())
      return page.status === 503 && stale ? stale.page : page
    },
    expire() {
      generation++
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
}
