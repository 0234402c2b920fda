import { listingKeys } from '#domain/listing.ts'

/** Query keys that change what is rendered. All others are dropped, so that trackers' marks cannot split the cache. */
const meaningful = new Set<string>([...listingKeys, '_routes', 'index'])
/** Longer ones are noise or an attack; no page of ours has such an address. */
export const MAX_ADDRESS_LENGTH = 16 * 1024

/** The address that identifies a page: path and meaningful query keys in a fixed order. */
export function pageKey(url: URL): string {
  const pairs = [...url.searchParams]
    .filter(([key]) => meaningful.has(key))
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  const search = new URLSearchParams(pairs).toString()
  return search ? `${url.pathname}?${search}` : url.pathname
}
