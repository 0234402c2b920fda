import { inListingOrder, LibraryFailed, unavailable } from '#app/features/resources/library.ts'
import type { Library } from '#app/session/client/library.ts'
import { type ResourceSummary, summaryColumns } from '#domain/resource.ts'

const RECOMMENDED = 3
/** So many ids fit into an address that every server takes. */
const IDS_PER_CALL = 100

/** The resources of a list of ids, what was saved last first. What is gone from the library is left out. Errors: 503. */
export async function findSaved(library: Library, ids: readonly string[]): Promise<ResourceSummary[]> {
  const calls = Array.from({ length: Math.ceil(ids.length / IDS_PER_CALL) }, (_, call) =>
    library
      .from('resources')
      .select(summaryColumns)
      .in('id', ids.slice(call * IDS_PER_CALL, (call + 1) * IDS_PER_CALL))
      .overrideTypes<ResourceSummary[], { merge: false }>(),
  )
  const rows = (await Promise.all(calls)).flatMap(orUnavailable)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.toReversed().flatMap((id) => byId.get(id) ?? [])
}

/** The first resources of the library, as the listing has them. Errors: 503. */
export async function findRecommended(library: Library): Promise<ResourceSummary[]> {
  return orUnavailable(
    await inListingOrder(library.from('resources').select(summaryColumns))
      .limit(RECOMMENDED)
      .overrideTypes<ResourceSummary[], { merge: false }>(),
  )
}

function orUnavailable(answer: { data: ResourceSummary[] | null; error: unknown }): ResourceSummary[] {
  if (answer.data) return answer.data
  throw unavailable(new LibraryFailed(answer.error))
}
