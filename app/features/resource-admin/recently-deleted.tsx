import { useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { categoryLabels } from '#domain/category.ts'
import { timeAgo } from '#domain/time-ago.ts'
import type { DeletedResource } from './deleted-resources.ts'
import { useRestore } from './use-restore.ts'

/** What was deleted within the last 30 days, to be restored. @param resources null when they could not be loaded */
export const RecentlyDeleted = ({ resources }: { resources: readonly DeletedResource[] | null }) => (
  <section aria-labelledby="recently-deleted">
    <h2 id="recently-deleted" className="text-2xl">
      Recently deleted
    </h2>
    {resources === null && (
      <p className="mt-3 text-muted">This list could not be loaded. Please reload the page.</p>
    )}
    {resources?.length === 0 && (
      <p className="mt-3 text-muted">Nothing. What you delete waits here for 30 days.</p>
    )}
    <ul className="mt-3 divide-y divide-line">
      {resources?.map((resource) => (
        <li key={resource.id} className="flex items-center justify-between gap-4 py-2.5">
          <div className="min-w-0">
            <p className="font-semibold wrap-anywhere">{resource.title}</p>
            <p className="text-sm text-muted">
              {categoryLabels[resource.category]} · deleted {timeAgo(resource.deleted_at)}
              {resource.frees_media && ' · its files go with it after 30 days'}
            </p>
          </div>
          <Restore resource={resource} />
        </li>
      ))}
    </ul>
  </section>
)

function Restore({ resource }: { resource: DeletedResource }) {
  const restore = useRestore()
  const [isBusy, setBusy] = useState(false)
  const press = async () => {
    setBusy(true)
    await restore(resource)
    setBusy(false)
  }
  return (
    <Button look="secondary" disabled={isBusy} onClick={press} aria-label={`Restore ${resource.title}`}>
      Restore
    </Button>
  )
}
