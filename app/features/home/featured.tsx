import { href, Link } from 'react-router'
import type { LibraryAccess } from '#app/session/client/library.ts'
import { classes } from '#app/ui/button.tsx'
import { containerClass } from '#app/ui/page.tsx'
import { ResponsiveImage } from '#app/ui/responsive-image.tsx'
import { durationLabel } from '#domain/duration.ts'
import { categoryLabels, type ResourceSummary } from '#domain/resource.ts'

/** Up to three resources that the editors put forward: the first large, the others beside it. */
export function Featured({ resources }: { resources: readonly FeaturedResource[] }) {
  if (resources.length === 0) return null
  return (
    <section aria-labelledby="featured" className={`${containerClass} pb-16 md:pb-24`}>
      <h2 id="featured" className="text-title">
        From the library
      </h2>
      <ul className="mt-8 grid gap-x-10 gap-y-12 md:grid-cols-2 lg:grid-cols-[1.55fr_1fr] lg:grid-rows-2">
        {resources.map((resource, index) => (
          <li
            key={resource.id}
            className={classes(index === 0 && 'md:col-span-2 lg:col-span-1 lg:row-span-2')}
          >
            <Teaser resource={resource} large={index === 0} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Teaser({ resource, large }: { resource: FeaturedResource; large: boolean }) {
  const { id, title, description, category, duration, image_url, image_alt } = resource
  return (
    <article className="group/teaser relative">
      {image_url ? (
        <ResponsiveImage
          src={image_url}
          alt={image_alt ?? ''}
          loading="lazy"
          sizes="(min-width:48rem) 40rem,calc(100vw - 2.5rem)"
          className="aspect-video w-full rounded-xl object-cover"
        />
      ) : (
        <Ripples />
      )}
      <p className="mt-4 text-sm text-muted">
        {categoryLabels[category]} · {durationLabel(duration)}
      </p>
      <h3 className={classes('mt-1', large ? 'text-3xl md:text-4xl' : 'text-2xl')}>
        <Link
          to={href('/resource/:id', { id })}
          prefetch="intent"
          className="underline-offset-4 group-hover/teaser:text-accent group-hover/teaser:underline after:absolute after:inset-0"
        >
          {title}
        </Link>
      </h3>
      {large && <p className="mt-3 max-w-2xl text-lg text-muted">{description}</p>}
    </article>
  )
}

/** Stands where a resource has no picture: sound spreading, as on the podcast's cover. */
function Ripples() {
  return (
    <svg viewBox="0 0 160 90" aria-hidden="true" className="w-full rounded-xl bg-brand">
      <g fill="#fff" fillOpacity="0.13">
        <circle cx="80" cy="52" r="66" />
        <circle cx="80" cy="52" r="46" />
        <circle cx="80" cy="52" r="27" />
      </g>
      <path fill="#fff6ec" d="M74 41v22l18-11z" stroke="#fff6ec" strokeWidth="3" strokeLinejoin="round" />
    </svg>
  )
}

/** The columns that the home page shows of a resource. */
const featuredColumns = 'id,title,description,category,duration,image_url,image_alt'

export type FeaturedResource = Pick<
  ResourceSummary,
  'id' | 'title' | 'description' | 'category' | 'duration' | 'image_url' | 'image_alt'
>

const LIMIT = 3

/** The newest resources that the editors put forward; null when the library does not answer. */
export async function findFeatured(
  library: LibraryAccess['library'],
  reads: LibraryAccess['reads'] = 'public',
): Promise<FeaturedResource[] | null> {
  const rows = library.from('resources').select(featuredColumns).eq('featured', true)
  const { data } = await (reads === 'public' ? rows.eq('public', true) : rows)
    .order('date', { ascending: false })
    .order('title')
    .order('id')
    .limit(LIMIT)
    .overrideTypes<FeaturedResource[], { merge: false }>()
  return data
}
