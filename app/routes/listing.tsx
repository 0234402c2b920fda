import {
  data,
  isRouteErrorResponse,
  type ShouldRevalidateFunctionArgs,
  useParams,
  useSearchParams,
} from 'react-router'
import { NotFoundPage } from '#app/features/errors/not-found-page.tsx'
import { type FoundPage, findListing, findLocations } from '#app/features/resources/find-listing.ts'
import { unavailable } from '#app/features/resources/library-failed.ts'
import { Listing } from '#app/features/resources/listing.tsx'
import { ComingSoon, ListingFailed } from '#app/features/resources/listing-notices.tsx'
import { withMedia } from '#app/features/resources/media-address.ts'
import { errorMeta } from '#app/features/seo/error-meta.ts'
import { breadcrumbs, itemList } from '#app/features/seo/json-ld.ts'
import { type PageFacts, pageMeta } from '#app/features/seo/page-meta.ts'
import { serverLibrary } from '#app/session/library-client.ts'
import { servicesContext } from '#app/session/services.ts'
import { Page, PageHeading } from '#app/ui/page.tsx'
import { isCategory, listingTexts } from '#domain/category.ts'
import { isFiltered, type ListingQuery, listingSearch, parseListing } from '#domain/listing.ts'
import { defaultPreferences, viewModes } from '#domain/preferences.ts'
import type { Route } from './+types/listing'
import { LazyPlayer } from './lazy-player.tsx'

/** Asks as a visitor. Errors: 404 for an unknown category, 503 when the library does not answer. */
export async function loader({ params: { category }, url, context }: Route.LoaderArgs) {
  if (category !== undefined && !isCategory(category)) throw data(null, { status: 404 })
  const { settings, api } = context.get(servicesContext)
  const library = serverLibrary({ settings, api })
  const query = parseListing(url.searchParams, category)
  try {
    const [found, locations] = await Promise.all([
      findListing(library, query),
      findLocations(library, category),
    ])
    const resources = found.resources.map((resource) => withMedia(resource, settings))
    const meta = pageMeta([{ loaderData: settings }], describeListing(query, found))
    return { found: { ...found, resources }, locations, meta }
  } catch (error) {
    throw unavailable(error)
  }
}

/** Made by the loader: structured data and sharing tags need code that no reader should have to download. */
export const meta: Route.MetaFunction = ({ loaderData, error }) => loaderData?.meta ?? errorMeta(error)

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

const exceptView = (url: URL) => listingSearch({ ...parseListing(url.searchParams), view: 'card' })

/** Cards and rows show the same resources: a change of view alone asks for nothing. */
export const shouldRevalidate = ({ currentUrl, nextUrl, ...rest }: ShouldRevalidateFunctionArgs) =>
  currentUrl.search === nextUrl.search ||
  currentUrl.pathname !== nextUrl.pathname ||
  exceptView(currentUrl) !== exceptView(nextUrl)
    ? rest.defaultShouldRevalidate
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
      <PageHeading title={title} blurb={blurb} />
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
