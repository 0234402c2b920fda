import { Link } from 'react-router'
import { durationLabel } from '#domain/duration.ts'
import type { ResourceSummary } from '#domain/resource.ts'
import { ResourcePicture } from './resource-picture.tsx'
import './resource-card.css'

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
                to={`/resource/${resource.id}`}
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
