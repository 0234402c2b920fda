import { SquareArrowOutUpRight } from 'lucide'
import type { ReactNode } from 'react'
import { buttonClass } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'
import type { Category } from '#domain/category.ts'
import type { ResourceSummary } from '#domain/resource.ts'
import { BackLink } from './back-link.tsx'
import { CategoryBadge } from './category-badge.tsx'
import { Audience, DateAndDuration } from './resource-details.tsx'
import { ResourcePicture } from './resource-picture.tsx'
import './resource-page.css'

interface ResourcePageProps {
  resource: ResourceSummary
  /** What it consists of: the article's body, or the player. */
  children?: ReactNode
  /** What can be done with it, beside its category. */
  actions?: ReactNode
}

/** A resource on its own page, in the shape of its category (specification, section 2). */
export function ResourcePage({ resource, children, actions }: ResourcePageProps) {
  const Shape = shapes[resource.category] ?? Announcement
  return (
    <article>
      <div className="flex flex-wrap items-center justify-between gap-4">
        <BackLink to={`/resources/${resource.category}`} />
        <div className="flex items-center gap-5">
          <CategoryBadge category={resource.category} />
          {actions && (
            <div className="flex flex-wrap justify-end gap-2 print:hidden empty:hidden">{actions}</div>
          )}
        </div>
      </div>
      <Shape resource={resource}>{children}</Shape>
    </article>
  )
}

const Reading = ({ resource, children }: ResourcePageProps) => (
  <>
    <header className="reading-head">
      <h1 className="text-display">{resource.title}</h1>
      <p className="standfirst">{resource.description}</p>
      <DateAndDuration resource={resource} />
    </header>
    {resource.image_url && <ResourcePicture resource={resource} loading="first" sizes={pageSizes} />}
    <div className="reading-body">
      <div>{children}</div>
      <Audience resource={resource} />
    </div>
  </>
)

const pageSizes = '(min-width:72rem) 68rem,calc(100vw - 2.5rem)'

const Podcast = ({ resource, children }: ResourcePageProps) => (
  <div className="episode">
    <ResourcePicture resource={resource} loading="lazy" />
    <header className="space-y-5">
      <h1 className="text-title">{resource.title}</h1>
      <DateAndDuration resource={resource} />
      <p className="standfirst">{resource.description}</p>
    </header>
    <div className="space-y-8">
      {children}
      <Audience resource={resource} />
    </div>
  </div>
)

const Announcement = ({ resource }: ResourcePageProps) => {
  const link = webLink(resource.link)
  return (
    <div className="max-w-2xl space-y-6 pt-8">
      <h1 className="text-title">{resource.title}</h1>
      <p className="standfirst">{resource.description}</p>
      <DateAndDuration resource={resource} />
      {link && (
        <p>
          <a href={link} rel="noopener noreferrer" className={buttonClass('primary')}>
            Open link
            <Icon icon={SquareArrowOutUpRight} className="size-4.5" />
          </a>
        </p>
      )}
      <Audience resource={resource} />
    </div>
  )
}

const shapes: Partial<Record<Category, typeof Reading>> = { reading: Reading, podcast: Podcast }

/** Only addresses of the web are worth a link; an admin's field may hold anything. */
export function webLink(link: string | null): string | null {
  return link && /^https?:\/\//i.test(link) && URL.canParse(link) ? link : null
}
