import './resource-card.css'
import { BookOpen, Headphones, type IconNode, MessagesSquare, Presentation, UserRound } from 'lucide'
import type { ReactNode } from 'react'
import { href, Link } from 'react-router'
import { Icon } from '#app/ui/icon.tsx'
import { type Loading, ResponsiveImage } from '#app/ui/responsive-image.tsx'
import { shortDate } from '#domain/dates.ts'
import { durationLabel } from '#domain/duration.ts'
import { type Category, categoryLabels, type ResourceSummary } from '#domain/resource.ts'

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
          <Link to={href('/resource/:id', { id })} prefetch="intent" className="resource-link">
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

interface ResourcePictureProps {
  resource: Pick<ResourceSummary, 'id' | 'category' | 'image_url' | 'image_alt'>
  loading: Loading
  /** How wide it is shown; else as a card of the listing. */
  sizes?: string
}

const cardSizes = '(min-width:68rem) 16rem,(min-width:38rem) 45vw,calc(100vw - 2.5rem)'

/** The picture of a resource, 16 to 9: a podcast's orange banner, its own picture, or the sign of its category. */
export function ResourcePicture({ resource, loading, sizes = cardSizes }: ResourcePictureProps) {
  const { id, category, image_url, image_alt } = resource
  if (category === 'podcast') return <SoundWave id={id} />
  if (!image_url) {
    return (
      <div className="resource-picture resource-blank">
        <Icon icon={categoryIcons[category]} className="size-12" strokeWidth={1} />
      </div>
    )
  }
  return (
    <ResponsiveImage
      className="resource-picture"
      src={image_url}
      alt={image_alt ?? ''}
      loading={loading}
      sizes={sizes}
    />
  )
}

const BARS = 30
const STEP = 8
const MIDDLE = 90
const TALLEST = 96

/**
 * The bars of a sound wave, drawn from an id: every episode has its own, always the same, and none costs a download.
 * A smooth swell and the id's letters decide the heights.
 */
export function wavePath(id: string): string {
  const bars = Array.from({ length: BARS }, (_, bar) => {
    const swell = Math.sin(((bar + 0.5) / BARS) * Math.PI)
    const letter = (id.charCodeAt(bar % id.length) * (bar + 7)) % 23
    const height = Math.round(6 + (TALLEST - 6) * swell * (0.25 + (0.75 * letter) / 22))
    return `M${44 + bar * STEP} ${MIDDLE - height / 2}v${height}`
  })
  return bars.join('')
}

/** An episode's banner: orange, without words, in the shape of the pictures beside it and with their sun. */
const SoundWave = ({ id }: { id: string }) => (
  <svg
    viewBox="0 0 320 180"
    preserveAspectRatio="xMidYMid slice"
    aria-hidden="true"
    className="resource-picture sound-wave"
  >
    <circle cx={80 + ((id.charCodeAt(0) * 31 + id.charCodeAt(1) * 7) % 160)} cy={MIDDLE} r="72" />
    <path d={wavePath(id)} />
  </svg>
)

/** The sign of each category. */
export const categoryIcons: Readonly<Record<Category, IconNode>> = {
  reading: BookOpen,
  webinar: Presentation,
  podcast: Headphones,
  community: MessagesSquare,
  session: UserRound,
}

/** Sign and label of a category, as cards and details show them. */
export const CategoryBadge = ({ category }: { category: Category }) => (
  <span className="inline-flex items-center gap-2 text-sm font-semibold text-accent">
    <Icon icon={categoryIcons[category]} className="size-4.5" />
    {categoryLabels[category]}
  </span>
)
