import type { LibraryAccess } from '#app/session/library-client.ts'
import type { ListingQuery } from '#domain/listing.ts'
import { findListing, findLocations } from './find-listing.ts'
import { unavailable } from './library-failed.ts'
import { withMedia } from './media-address.ts'

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
    return {
      found: { ...found, resources: found.resources.map((one) => withMedia(one, settings)) },
      locations,
    }
  } catch (error) {
    throw unavailable(error)
  }
}
