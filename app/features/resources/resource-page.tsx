import './resource-page.css'
import './resource-card.css'
import { ArrowLeft, Clock, SquareArrowOutUpRight } from 'lucide'
import type { MouseEvent, ReactNode } from 'react'
import { href, Link, useNavigate } from 'react-router'
import { buttonClass, isPlainClick } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { longDate } from '#domain/dates.ts'
import { durationLabel } from '#domain/duration.ts'
import { type Category, genderLabels, type ResourceSummary } from '#domain/resource.ts'
import { CategoryBadge, ResourcePicture } from './resource-card.tsx'

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
        <BackLink to={href('/resources/:category?', { category: resource.category })} />
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

/** The date in words and the duration as a badge. */
function DateAndDuration({ resource: { date, duration } }: { resource: ResourceSummary }) {
  const day = longDate(date)
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-2 text-muted tabular-nums">
      {day && <time dateTime={date}>{day}</time>}
      {duration > 0 && (
        <span className="inline-flex items-center gap-1.5 rounded-full bg-tint px-3 py-1 text-sm font-semibold text-warning">
          <Icon icon={Clock} className="size-4" />
          {durationLabel(duration)}
        </span>
      )}
    </p>
  )
}

/** For whom and where, quietly; nothing where nothing is known. */
function Audience({ resource: { grade, gender, location } }: { resource: ResourceSummary }) {
  const facts = [
    { name: 'Grade', value: grade },
    { name: 'Gender', value: gender && genderLabels[gender] },
    { name: 'Location', value: location },
  ].filter(({ value }) => value)
  if (facts.length === 0) return null
  return (
    <dl className="audience">
      {facts.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Only addresses of the web are worth a link; an admin's field may hold anything. */
export function webLink(link: string | null): string | null {
  return link && /^https?:\/\//i.test(link) && URL.canParse(link) ? link : null
}

/**
 * Leads to the listing. For a reader who came from inside the site it goes back in history instead, to the listing as
 * they left it; React Router counts its own entries in `history.state.idx`.
 */
function BackLink({ to }: { to: string }) {
  const navigate = useNavigate()
  const goBack = (event: MouseEvent<HTMLElement, globalThis.MouseEvent>) => {
    if (!isPlainClick(event.nativeEvent) || !(window.history.state?.idx > 0)) return
    event.preventDefault()
    void navigate(-1)
  }
  return (
    <Link
      to={to}
      onClick={goBack}
      className="-ms-1 inline-flex min-h-11 items-center gap-2 pe-3 font-semibold text-muted no-underline hover:text-accent print:hidden"
    >
      <Icon icon={ArrowLeft} className="size-5" />
      Back
    </Link>
  )
}

/** The way on from the end of a page: a few others of the same kind. Nothing where there are none. */
export function RelatedResources({ resources }: { resources: readonly ResourceSummary[] }) {
  if (resources.length === 0) return null
  return (
    <nav aria-labelledby="more-like-this" className="mt-16 border-t border-line pt-8 print:hidden">
      <h2 id="more-like-this" className="text-2xl">
        More like this
      </h2>
      <ul className="mt-6 grid gap-8 sm:grid-cols-3">
        {resources.map((resource) => (
          <li key={resource.id} className="resource-card">
            <ResourcePicture resource={{ ...resource, image_alt: '' }} loading="lazy" />
            <div>
              <Link
                to={href('/resource/:id', { id: resource.id })}
                prefetch="intent"
                className="resource-link font-serif text-lg leading-snug font-semibold"
              >
                {resource.title}
              </Link>
              {resource.duration > 0 && (
                <p className="mt-1 text-sm text-muted">{durationLabel(resource.duration)}</p>
              )}
            </div>
          </li>
        ))}
      </ul>
    </nav>
  )
}
