import { listingKeys } from '#domain/listing.ts'

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
