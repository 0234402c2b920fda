import {
  data,
  isRouteErrorResponse,
  type ShouldRevalidateFunctionArgs,
  useParams,
  useSearchParams,
} from 'react-router'
import { errorMeta, NotFoundPage } from '#app/features/errors/error-page.tsx'
import { LazyPlayer } from '#app/features/player/lazy-player.tsx'
import { AdminAdd, ResourceControls } from '#app/features/resource-controls/resource-controls.tsx'
import { readListing } from '#app/features/resources/find-listing.ts'
import { Listing } from '#app/features/resources/listing.tsx'
import { ComingSoon, ListingFailed } from '#app/features/resources/notices.tsx'
import { visitorAccess } from '#app/session/client/library.ts'
import { memberAccess, skipRevalidationOffline } from '#app/session/session.ts'
import { servicesContext } from '#app/session/site.ts'
import { Page, PageHeading } from '#app/ui/page.tsx'
import { isFiltered, type ListingQuery, listingSearch, parseListing } from '#domain/listing.ts'
import { viewModes } from '#domain/preferences.ts'
import { isCategory, listingTexts } from '#domain/resource.ts'
import type { Route } from './+types/listing'

/** Asks as a visitor. Errors: 404 for an unknown category, 503 when the library does not answer. */
export const loader = ({ params, url, context }: Route.LoaderArgs) =>
  readListing(visitorAccess(context.get(servicesContext)), askedFor(params, url))

/** Asks with a member's rights where there is a session. */
export async function clientLoader({ params, url, serverLoader }: Route.ClientLoaderArgs) {
  const access = await memberAccess()
  if (!access) return serverLoader()
  const { readListing } = await import('#app/features/resources/find-listing.ts')
  return readListing(access, askedFor(params, url))
}

function askedFor({ category }: { category?: string }, { searchParams }: URL): ListingQuery {
  if (category !== undefined && !isCategory(category)) throw data(null, { status: 404 })
  return parseListing(searchParams, category)
}

/** Made by the loader: structured data and sharing tags need code that no reader should have to download. */
export const meta: Route.MetaFunction = ({ loaderData, error }) => loaderData?.meta ?? errorMeta(error)

const exceptView = (url: URL) => listingSearch({ ...parseListing(url.searchParams), view: 'card' })

/** Cards and rows show the same resources: a change of view alone asks for nothing. */
export const shouldRevalidate = (change: ShouldRevalidateFunctionArgs) =>
  change.currentUrl.search === change.nextUrl.search ||
  change.currentUrl.pathname !== change.nextUrl.pathname ||
  exceptView(change.currentUrl) !== exceptView(change.nextUrl)
    ? skipRevalidationOffline(change)
    : false

/** What an address asks for: the same on server and browser, since preferences are not in it. */
function readAddress(category: string | undefined, search: string) {
  const known = isCategory(category) ? category : undefined
  return { ...listingTexts[known ?? 'all'], query: parseListing(new URLSearchParams(search), known) }
}

export default function ListingRoute({ loaderData: { found, locations }, params }: Route.ComponentProps) {
  const [search] = useSearchParams()
  const { title, blurb, query } = readAddress(params.category, search.toString())
  const namedView = viewModes.find((view) => view === search.get('view'))
  const isEmpty = found.total === 0 && !isFiltered(query)
  return (
    <Page>
      <PageHeading title={title} blurb={blurb}>
        <AdminAdd category={query.category} />
      </PageHeading>
      {isEmpty ? (
        <ComingSoon category={query.category} />
      ) : (
        <Listing
          key={query.category}
          query={query}
          found={found}
          locations={locations}
          namedView={namedView}
          actions={(resource) =>
            resource.category === 'podcast' && <LazyPlayer resource={resource} compact />
          }
          corner={(resource) => <ResourceControls resource={resource} />}
        />
      )}
    </Page>
  )
}

/** An unknown category is an unknown page; anything else is a list that could not be loaded. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const { category } = useParams()
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFoundPage />
  return (
    <Page>
      <PageHeading {...readAddress(category, '')} />
      <ListingFailed />
    </Page>
  )
}
