import { Pencil } from 'lucide'
import type { ReactNode } from 'react'
import { href, Link } from 'react-router'
import { Icon } from '#app/ui/icon.tsx'
import { PageLinks } from '#app/ui/page.tsx'
import { categoryLabels } from '#domain/resource.ts'
import { timeAgo } from '#domain/time-ago.ts'
import { type DashboardRow, type FoundRows, ROWS, type Shown, shownAddress } from './read-dashboard.ts'

interface ResourceRowsProps {
  shown: Shown
  /** Null when they could not be loaded. */
  rows: FoundRows | null
  /** What else can be done with a resource, beside editing it. */
  actions: (resource: DashboardRow) => ReactNode
}

const titles = {
  recent: 'Recent changes',
  private: 'Private resources',
  featured: 'Featured resources',
} as const
const empty = {
  recent: 'The library is empty. Add a reading or a podcast to begin.',
  private: 'Nothing is private: visitors see the whole library.',
  featured: 'Nothing is featured. Features stand first in every list, and on the home page.',
} as const

/** The resources that were changed last, or all that are private or featured. */
export const ResourceRows = ({ shown, rows, actions }: ResourceRowsProps) => (
  <section aria-labelledby="resource-rows">
    <div className="flex flex-wrap items-baseline justify-between gap-x-6">
      <h2 id="resource-rows" tabIndex={-1} className="text-2xl focus:outline-none">
        {titles[shown.kind]}
        {rows && shown.kind !== 'recent' && <span className="text-muted"> {rows.total}</span>}
      </h2>
      {shown.kind !== 'recent' && (
        <Link
          to={href('/admin')}
          preventScrollReset
          className="py-2 text-accent underline underline-offset-4"
        >
          Recent changes
        </Link>
      )}
    </div>
    {rows === null && (
      <p className="mt-3 text-muted">This list could not be loaded. Please reload the page.</p>
    )}
    {rows?.total === 0 && <p className="mt-3 text-muted">{empty[shown.kind]}</p>}
    <ul className="mt-3 divide-y divide-line">
      {rows?.resources.map((resource) => (
        <Row key={resource.id} resource={resource} actions={actions(resource)} />
      ))}
    </ul>
    {rows && shown.kind !== 'recent' && (
      <PageLinks
        label="Pages"
        heading="resource-rows"
        page={rows.page}
        pages={Math.ceil(rows.total / ROWS)}
        to={(page) => shownAddress({ kind: shown.kind, page })}
      />
    )}
  </section>
)

function Row({ resource, actions }: { resource: DashboardRow; actions: ReactNode }) {
  const { id, title, category, updated_at } = resource
  const facts = [
    categoryLabels[category],
    !resource.public && 'Private',
    resource.featured && 'Featured',
    `edited ${timeAgo(updated_at)}`,
  ]
  return (
    <li className="flex items-center justify-between gap-4 py-2.5">
      <div className="min-w-0">
        <Link
          to={href('/resource/:id', { id })}
          className="inline-block font-semibold underline-offset-4 wrap-anywhere hover:text-accent hover:underline"
        >
          {title}
        </Link>
        <p className="text-sm text-muted">{facts.filter(Boolean).join(' · ')}</p>
      </div>
      <div className="flex shrink-0 gap-1.5">
        <Link
          to={href('/resources/edit/:id', { id })}
          aria-label={`Edit ${title}`}
          title="Edit"
          className="grid size-11 place-items-center rounded-full border border-line bg-surface hover:border-accent hover:text-accent"
        >
          <Icon icon={Pencil} className="size-5" />
        </Link>
        {actions}
      </div>
    </li>
  )
}
