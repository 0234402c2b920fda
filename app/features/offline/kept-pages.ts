import { href } from 'react-router'
import { storedMemberId } from '#app/session/client/offline-cache.ts'
import { memberShelf } from '#app/worker/messages.ts'
import { shelves } from '#app/worker/shelves.ts'

export interface KeptPage {
  address: string
  title: string
}

/** The resources that open on this device without a network, what was read last first. */
export async function keptPages(): Promise<KeptPage[]> {
  const id = storedMemberId()
  const names = [...(id ? [memberShelf(id)] : []), shelves.pages]
  const found = (await Promise.all(names.map(pagesOn))).flat()
  return [...new Map(found.map((page) => [page.address, page])).values()]
}

async function pagesOn(shelf: string): Promise<KeptPage[]> {
  if (!(await caches.has(shelf))) return []
  const cache = await caches.open(shelf)
  const pages = await Promise.all(
    (await cache.keys()).toReversed().map((request) =>
      cache.match(request).then((answer) => ({
        address: new URL(request.url).pathname,
        title: decodeURIComponent(answer?.headers.get('x-kept-title') ?? ''),
      })),
    ),
  )
  return pages.filter(({ address, title }) => title && address.startsWith(href('/resource/:id', { id: '' })))
}

/** Where the reader wanted to go: a page of ours, whatever the address says. */
export function wantedAddress(here: string): string {
  const { origin, searchParams } = new URL(here)
  const from = searchParams.get('from') ?? href('/')
  const wanted = URL.canParse(from, origin) ? new URL(from, origin) : null
  const isOurs = wanted?.origin === origin && wanted.pathname !== href('/offline')
  return isOurs ? wanted.pathname + wanted.search : '/'
}
