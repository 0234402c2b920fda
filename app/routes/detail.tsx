import { href, isRouteErrorResponse } from 'react-router'
import { ArticleBody } from '#app/features/article/article-body.tsx'
import { errorMeta } from '#app/features/errors/error-page.tsx'
import { LazyPlayer } from '#app/features/player/lazy-player.tsx'
import { ResourceControls } from '#app/features/resource-controls/resource-controls.tsx'
import { readResource } from '#app/features/resources/find-resource.ts'
import { PrivateResource, ResourceFailed, ResourceMissing } from '#app/features/resources/notices.tsx'
import { RelatedResources, ResourcePage } from '#app/features/resources/resource-page.tsx'
import { visitorAccess } from '#app/session/client/library.ts'
import { MemberOrVisitor } from '#app/session/current-user.tsx'
import { memberAccess, skipRevalidationOffline, withOfflineFallback } from '#app/session/session.ts'
import { servicesContext } from '#app/session/site.ts'
import { Banner, Page } from '#app/ui/page.tsx'
import type { Route } from './+types/detail'

/** Asks as a visitor. Errors: 404 for what is private or does not exist, 503 when the library does not answer. */
export const loader = ({ params: { id }, context }: Route.LoaderArgs) =>
  readResource(visitorAccess(context.get(servicesContext)), id)

/** Asks with a member's rights where there is a session; only then the sanitiser is downloaded. Kept ones open offline. */
export async function clientLoader({ params: { id }, serverLoader }: Route.ClientLoaderArgs) {
  return withOfflineFallback(`resource/${id}`, async () => {
    const access = await memberAccess()
    if (!access) return serverLoader()
    const { readResource } = await import('#app/features/resources/find-resource.ts')
    return readResource(access, id)
  })
}

export const shouldRevalidate = skipRevalidationOffline

/** Made by the loader: structured data and sharing tags need code that no reader should have to download. */
export const meta: Route.MetaFunction = ({ loaderData, error }) => loaderData?.meta ?? errorMeta(error)

export default function DetailRoute({ loaderData: { resource, body, related } }: Route.ComponentProps) {
  return (
    <Page>
      <ResourcePage
        resource={resource}
        actions={
          <ResourceControls
            resource={resource}
            leaveTo={href('/resources/:category?', { category: resource.category })}
            withWords
          />
        }
      >
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
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const isMissing = isRouteErrorResponse(error) && error.status === 404
  return (
    <Page>
      {isMissing ? (
        <MemberOrVisitor member={<ResourceMissing />} visitor={<PrivateResource />} />
      ) : (
        <ResourceFailed />
      )}
    </Page>
  )
}
