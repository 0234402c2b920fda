import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Loading } from '#app/ui/responsive-image.tsx'
import { shortDate } from '#domain/dates.ts'
import { durationLabel } from '#domain/duration.ts'
import type { ResourceSummary } from '#domain/resource.ts'
import { CategoryBadge } from './category-badge.tsx'
import { ResourcePicture } from './resource-picture.tsx'
import './resource-card.css'

interface ResourceCardProps {
  resource: ResourceSummary
  /** The level of its title on this page. */
  heading?: 'h2' | 'h3' | undefined
  loading: Loading
  /** What can be done with the resource in place, for example its player: pressing it does not open the resource. */
  children?: ReactNode
  /** What stands in the card's upper corner, for example the heart. */
  corner?: ReactNode
}

/**
 * One resource of a list (specification, section 2). The title is the one link to it; its surface is stretched over
 * the whole card (resource-card.css), and what is pressed inside `children` lies above that surface.
 */
export function ResourceCard({
  resource,
  heading: Heading = 'h2',
  loading,
  children,
  corner,
}: ResourceCardProps) {
  const { id, title, description, category, featured } = resource
  return (
    <article className="resource-card">
      <ResourcePicture resource={resource} loading={loading} sizes={featured ? featuredSizes : undefined} />
      <div className="resource-words">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <CategoryBadge category={category} />
          {featured && <FeaturedBadge />}
        </p>
        <Heading className="resource-title">
          <Link to={`/resource/${id}`} prefetch="intent" className="resource-link">
            {title}
          </Link>
        </Heading>
        <p className="resource-description">{description}</p>
        <Facts resource={resource} />
      </div>
      {children && <div className="resource-actions">{children}</div>}
      {corner && <div className="resource-corner">{corner}</div>}
    </article>
  )
}

/** Two columns of the listing. */
const featuredSizes = '(min-width:68rem) 33rem,(min-width:38rem) 45vw,calc(100vw - 2.5rem)'

const FeaturedBadge = () => (
  <span className="rounded-full bg-tint px-2.5 py-0.5 text-xs font-semibold text-warning">Featured</span>
)

function Facts({ resource: { date, duration } }: { resource: ResourceSummary }) {
  const day = shortDate(date)
  return (
    <p className="resource-facts">
      {day && <time dateTime={date}>{day}</time>}
      {duration > 0 && <span>{durationLabel(duration)}</span>}
    </p>
  )
}
