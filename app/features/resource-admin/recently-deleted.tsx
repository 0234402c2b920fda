import { href, useFetcher, useLocation } from 'react-router'
import { Button } from '#app/ui/button.tsx'
import { PageLinks } from '#app/ui/page.tsx'
import { categoryLabels } from '#domain/resource.ts'
import { timeAgo } from '#domain/time-ago.ts'
import { DELETED_PER_PAGE, type DeletedPage, type DeletedResource, leaveForContent } from './deletion.ts'

/** What was deleted within the last 30 days, page by page, to be restored. @param deleted null: it could not be loaded */
export function RecentlyDeleted({ deleted }: { deleted: DeletedPage | null }) {
  const { pathname, search } = useLocation()
  const pageAddress = (page: number) => {
    const query = new URLSearchParams(search)
    if (page > 1) query.set('deleted', String(page))
    else query.delete('deleted')
    return query.size > 0 ? `${pathname}?${query}` : pathname
  }
  return (
    <section aria-labelledby="recently-deleted">
      <h2 id="recently-deleted" tabIndex={-1} className="text-2xl focus:outline-none">
        Recently deleted
        {deleted !== null && deleted.total > 0 && <span className="text-muted"> {deleted.total}</span>}
      </h2>
      {deleted === null && (
        <p className="mt-3 text-muted">This list could not be loaded. Please reload the page.</p>
      )}
      {deleted?.total === 0 && (
        <p className="mt-3 text-muted">Nothing. What you delete waits here for 30 days.</p>
      )}
      <ul className="mt-3 divide-y divide-line">
        {deleted?.resources.map((resource) => (
          <DeletedRow key={resource.id} resource={resource} />
        ))}
      </ul>
      {deleted && (
        <PageLinks
          label="Pages of what was deleted"
          heading="recently-deleted"
          page={deleted.page}
          pages={Math.ceil(deleted.total / DELETED_PER_PAGE)}
          to={pageAddress}
        />
      )}
    </section>
  )
}

function DeletedRow({ resource }: { resource: DeletedResource }) {
  const { Form, state } = useFetcher()
  const { id, title } = resource
  return (
    <li className="flex items-center justify-between gap-4 py-2.5">
      <div className="min-w-0">
        <p className="font-semibold wrap-anywhere">{title}</p>
        <p className="text-sm text-muted">
          {categoryLabels[resource.category]} · deleted {timeAgo(resource.deleted_at)}
          {resource.frees_media && ' · its files go with it after 30 days'}
        </p>
      </div>
      <Form method="post" action={href('/admin')} onSubmit={leaveForContent} className="shrink-0">
        <input type="hidden" name="id" value={id} />
        <input type="hidden" name="title" value={title} />
        <Button
          type="submit"
          name="intent"
          value="restore"
          look="secondary"
          disabled={state !== 'idle'}
          aria-label={`Restore ${title}`}
        >
          Restore
        </Button>
      </Form>
    </li>
  )
}
