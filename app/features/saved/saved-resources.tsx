import './saved-resources.css'
import type { ReactNode } from 'react'
import { href } from 'react-router'
import { inListingOrder, LibraryFailed, unavailable } from '#app/features/resources/library.ts'
import type { Library } from '#app/session/client/library.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { type ResourceSummary, summaryColumns } from '#domain/resource.ts'

/** What the member saved, or how to begin. */
export const SavedResources = ({ count, children }: { count: number; children: ReactNode }) => (
  <section id="saved" aria-labelledby="saved-title" className="saved-resources">
    <h2 id="saved-title" className="text-title">
      Your Saved Resources
    </h2>
    {count > 0 ? (
      <div className="mt-8">{children}</div>
    ) : (
      <div className="mt-6 rounded-2xl bg-sunken px-6 py-10 text-center">
        <p className="font-serif text-xl">No saved resources yet</p>
        <p className="mt-2 text-muted">Press the heart on a resource, and it waits for you here.</p>
        <ButtonLink to={href('/resources/:category?')} className="mt-5">
          Explore Resources
        </ButtonLink>
      </div>
    )}
  </section>
)

export const RecommendedForYou = ({ children }: { children: ReactNode }) => (
  <section aria-labelledby="recommended-title" className="saved-resources">
    <h2 id="recommended-title" className="text-2xl">
      Recommended For You
    </h2>
    <div className="mt-6">{children}</div>
  </section>
)

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
