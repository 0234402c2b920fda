import { useMemo } from 'react'
import { ArticleBody } from '#app/features/article/article-body.tsx'
import { LazyPlayer } from '#app/features/player/lazy-player.tsx'
import { withMedia } from '#app/features/resources/library.ts'
import { ResourceList } from '#app/features/resources/resource-list.tsx'
import { ResourcePage } from '#app/features/resources/resource-page.tsx'
import { useSettings } from '#app/session/site.ts'
import { Page } from '#app/ui/page.tsx'
import { sanitiseArticle } from '#domain/article/sanitise.ts'
import type { ResourceSummary } from '#domain/resource.ts'
import type { PreviewKind } from './preview-pane.tsx'

interface ResourcePreviewProps {
  resource: ResourceSummary
  /** HTML as it was typed or uploaded. */
  article: string
  shows: PreviewKind
}

/** A resource as readers will see it, made of what they see it with. */
export function ResourcePreview({ resource, article, shows }: ResourcePreviewProps) {
  const shown = withMedia({ ...resource, title: resource.title || 'Title' }, useSettings())
  const player = shown.category === 'podcast' && shown.audioUrl && (
    <LazyPlayer resource={shown} compact={shows === 'card'} />
  )
  return (
    <Page>
      {shows === 'card' ? (
        <ResourceList resources={[{ ...shown, featured: false }]} view="card" actions={() => player} />
      ) : (
        <ResourcePage resource={shown}>
          {shown.category === 'reading' ? <Body html={article} /> : player}
        </ResourcePage>
      )}
    </Page>
  )
}

function Body({ html }: { html: string }) {
  const clean = useMemo(() => sanitiseArticle(html), [html])
  if (clean.trim()) return <ArticleBody html={clean} />
  return <p className="text-muted">This article does not have any content yet.</p>
}
