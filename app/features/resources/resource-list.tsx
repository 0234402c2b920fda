import type { ReactNode } from 'react'
import type { Loading } from '#app/ui/responsive-image.tsx'
import type { ViewMode } from '#domain/preferences.ts'
import type { ResourceSummary } from '#domain/resource.ts'
import { ResourceCard } from './resource-card.tsx'
import './resource-list.css'

interface ResourceListProps {
  resources: readonly ResourceSummary[]
  /** How it is laid out; undefined follows the reader's preference, which only the style sheet knows at first. */
  view: ViewMode | undefined
  /** The level of the titles on this page. */
  heading?: 'h2' | 'h3'
  /** What a card offers besides opening the resource. */
  actions?: (resource: ResourceSummary) => ReactNode
  /** What stands in a card's upper corner. */
  corner?: (resource: ResourceSummary) => ReactNode
}

/** Resources as cards or as rows. Featured ones span two columns. */
export function ResourceList({ resources, view, heading, actions, corner }: ResourceListProps) {
  return (
    <ul className="resource-list" data-view={view}>
      {resources.map((resource, index) => (
        <li key={resource.id} data-featured={resource.featured || undefined}>
          <ResourceCard
            resource={resource}
            heading={heading}
            loading={loadingAt(resources, index)}
            corner={corner?.(resource)}
          >
            {actions?.(resource)}
          </ResourceCard>
        </li>
      ))}
    </ul>
  )
}

const COLUMNS = 4
const cells = (resource: ResourceSummary) => (resource.featured ? 2 : 1)

/** The first row is seen at once; its first picture is the largest thing on the page. */
function loadingAt(resources: readonly ResourceSummary[], index: number): Loading {
  if (index === 0) return 'first'
  const before = resources.slice(0, index).reduce((sum, resource) => sum + cells(resource), 0)
  return before < COLUMNS ? 'eager' : 'lazy'
}
