import { data } from 'react-router'
import type { SiteSettings } from '#app/session/site.ts'
import type { ResourceSummary } from '#domain/resource.ts'

interface Ordered<Query> {
  order(column: string, options?: { ascending?: boolean }): Query
}

/**
 * The order of every listing: featured first, the newest first, then title and id so that pages never overlap.
 * `backwards` begins at the end.
 */
export const inListingOrder = <Query extends Ordered<Query>>(
  rows: Query,
  { backwards = false }: { backwards?: boolean } = {},
): Query =>
  rows
    .order('featured', { ascending: backwards })
    .order('date', { ascending: backwards })
    .order('title', { ascending: !backwards })
    .order('id', { ascending: !backwards })

/** The library did not answer, or not as expected; the cause is for the log. */
export class LibraryFailed extends Error {
  constructor(cause: unknown) {
    super('The library did not answer', { cause })
    this.name = 'LibraryFailed'
  }
}

/**
 * What a loader throws in place of an error: 503, which no cache keeps, when the library failed. Its cause is only
 * logged (specification, section 8). Any other error stays what it is.
 */
export function unavailable(error: unknown): unknown {
  if (!(error instanceof LibraryFailed)) return error
  console.error(error.message, error.cause)
  return data(null, { status: 503 })
}

type Addresses = Pick<SiteSettings, 'siteUrl' | 'apiUrl'>

/**
 * The address under which a browser finds a picture or recording. Those in our own storage are kept without an origin
 * (design, section 6): they stay so where the site itself serves them, and get the project's origin in hosted mode.
 */
export const mediaAddress = <Kept extends string | null>(kept: Kept, { siteUrl, apiUrl }: Addresses): Kept =>
  kept?.startsWith('/storage/') && apiUrl !== siteUrl ? (`${apiUrl}${kept}` as Kept) : kept

/** The resource with addresses that a browser can load. */
export const withMedia = <Kept extends ResourceSummary>(resource: Kept, settings: Addresses): Kept => ({
  ...resource,
  image_url: mediaAddress(resource.image_url, settings),
  audioUrl: mediaAddress(resource.audioUrl, settings),
})
