import { type FoundPage, findListing, findLocations } from '#app/features/resources/find-listing.ts'
import { unavailable } from '#app/features/resources/library-failed.ts'
import { withMedia } from '#app/features/resources/media-address.ts'
import { breadcrumbs, itemList } from '#app/features/seo/json-ld.ts'
import { type PageFacts, pageMeta } from '#app/features/seo/page-meta.ts'
import type { LibraryAccess } from '#app/session/client/library.ts'
import { listingTexts } from '#domain/category.ts'
import { isFiltered, type ListingQuery } from '#domain/listing.ts'
import { defaultPreferences } from '#domain/preferences.ts'

/**
 * What a listing's page shows to whoever the access belongs to. On the server for visitors; members download it.
 * Errors: 503 when the library does not answer.
 */
export async function readListing({ library, settings, reads }: LibraryAccess, query: ListingQuery) {
  try {
    const [found, locations] = await Promise.all([
      findListing(library, query, reads),
      findLocations(library, query.category),
    ])
    const resources = found.resources.map((resource) => withMedia(resource, settings))
    const meta = pageMeta([{ loaderData: settings }], describeListing(query, found))
    return { found: { ...found, resources }, locations, meta }
  } catch (error) {
    throw unavailable(error)
  }
}

/** Search engines see one series of pages: unfiltered, in the default size. */
function describeListing(query: ListingQuery, { resources, page, pages }: FoundPage): PageFacts {
  const { title, blurb } = listingTexts[query.category ?? 'all']
  const inSeries = !isFiltered(query) && query.size === defaultPreferences.size
  const all = { name: listingTexts.all.title, path: '/resources' }
  const path = query.category ? `${all.path}/${query.category}` : all.path
  const pathOf = (number: number) => (number > 1 ? `${path}?page=${number}` : path)
  return {
    title: inSeries && page > 1 ? `${title}, page ${page}` : title,
    description: blurb,
    path: inSeries ? pathOf(page) : path,
    previous: inSeries && page > 1 ? pathOf(page - 1) : undefined,
    next: inSeries && page < pages ? pathOf(page + 1) : undefined,
    jsonLd: [breadcrumbs(query.category ? [all, { name: title, path }] : [all]), itemList(resources)],
  }
}
