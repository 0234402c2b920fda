import { data, isRouteErrorResponse } from 'react-router'
import { ArticleBody } from '#app/features/article/article-body.tsx'
import { findRelated, findResource } from '#app/features/resources/find-resource.ts'
import { unavailable } from '#app/features/resources/library-failed.ts'
import { withMedia } from '#app/features/resources/media-address.ts'
import { RelatedResources } from '#app/features/resources/related-resources.tsx'
import { ResourcePage } from '#app/features/resources/resource-page.tsx'
import { PrivateResource, ResourceFailed } from '#app/features/resources/resource-refused.tsx'
import { errorMeta } from '#app/features/seo/error-meta.ts'
import { article, breadcrumbs, type JsonLdBuilder, podcastEpisode } from '#app/features/seo/json-ld.ts'
import { type PageFacts, pageMeta } from '#app/features/seo/page-meta.ts'
import { serverLibrary } from '#app/session/library-client.ts'
import { servicesContext } from '#app/session/services.ts'
import { Banner } from '#app/ui/banner.tsx'
import { Page } from '#app/ui/page.tsx'
import { decodeArticle } from '#domain/article/encoding.ts'
import { sanitiseArticle } from '#domain/article/sanitise.ts'
import { type Category, listingTexts } from '#domain/category.ts'
import type { ResourceSummary } from '#domain/resource.ts'
import type { Route } from './+types/detail'
import { LazyPlayer } from './lazy-player.tsx'

/** Asks as a visitor. Errors: 404 for what is private or does not exist, 503 when the library does not answer. */
export async function loader({ params: { id }, context }: Route.LoaderArgs) {
  const { settings, api } = context.get(servicesContext)
  const library = serverLibrary({ settings, api })
  try {
    const found = await findResource(library, id)
    if (!found) throw data(null, { status: 404 })
    const related = await findRelated(library, found)
    const { article_content, ...summary } = found
    return {
      resource: withMedia(summary, settings),
      body: readBody(article_content),
      related: related.map((other) => withMedia(other, settings)),
      meta: pageMeta([{ loaderData: settings }], describeResource(summary)),
    }
  } catch (error) {
    throw unavailable(error)
  }
}

/** The article's body, fit to be shown. On the server only: visitors never download the sanitiser. */
function readBody(content: string | null) {
  const body = decodeArticle(content)
  return body.state === 'html' ? { ...body, html: sanitiseArticle(body.html) } : body
}

/** Made by the loader: structured data and sharing tags need code that no reader should have to download. */
export const meta: Route.MetaFunction = ({ loaderData, error }) => loaderData?.meta ?? errorMeta(error)

function describeResource(resource: ResourceSummary): PageFacts {
  const { id, title, description, category, image_url, image_alt, audioUrl } = resource
  const path = `/resource/${id}`
  const listing = { name: listingTexts[category].title, path: `/resources/${category}` }
  const kinds: Partial<Record<Category, JsonLdBuilder>> = {
    reading: article(resource),
    podcast: podcastEpisode(resource),
  }
  return {
    title,
    description,
    path,
    type: category === 'reading' ? 'article' : 'website',
    image: image_url ? { address: image_url, alt: image_alt ?? '' } : undefined,
    audio: audioUrl ?? undefined,
    jsonLd: [breadcrumbs([listing, { name: title, path }]), kinds[category]].filter(
      (kind) => kind !== undefined,
    ),
  }
}

export default function DetailRoute({ loaderData: { resource, body, related } }: Route.ComponentProps) {
  return (
    <Page>
      <ResourcePage resource={resource}>
        {resource.category === 'reading' && <Body body={body} />}
        {resource.category === 'podcast' && <LazyPlayer resource={resource} />}
      </ResourcePage>
      <RelatedResources resources={related} />
    </Page>
  )
}

function Body({ body }: { body: Route.ComponentProps['loaderData']['body'] }) {
  if (body.state === 'html') return <ArticleBody html={body.html} />
  if (body.state === 'undecodable') return <Banner tone="error">Error decoding article content</Banner>
  return <p className="text-muted">This article does not have any content yet.</p>
}

/** For visitors, what is private and what does not exist look the same. */
export const ErrorBoundary = ({ error }: Route.ErrorBoundaryProps) => (
  <Page>
    {isRouteErrorResponse(error) && error.status === 404 ? <PrivateResource /> : <ResourceFailed />}
  </Page>
)
