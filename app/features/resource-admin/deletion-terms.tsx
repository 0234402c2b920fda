import { Suspense, use } from 'react'
import { Link } from 'react-router'
import type { OwnMedia } from './media-uses.ts'

interface DeletionTermsProps {
  /** Null when it could not be found out: then no file is touched. */
  media: Promise<OwnMedia[] | null>
  onFreeMedia: (frees: boolean) => void
}

/** What a deletion means, and what becomes of the resource's files. */
export const DeletionTerms = (props: DeletionTermsProps) => (
  <>
    <p>
      It leaves the library and everybody’s saved lists at once. For 30 days you can restore it from your
      dashboard.
    </p>
    <Suspense fallback={<p>Looking where its files are used…</p>}>
      <Files {...props} />
    </Suspense>
  </>
)

function Files({ media, onFreeMedia }: DeletionTermsProps) {
  const files = use(media) ?? []
  const free = files.filter(({ others }) => others.length === 0)
  return (
    <>
      {files
        .filter(({ others }) => others.length > 0)
        .map(({ kind, others }) => (
          <InUse key={kind} kind={kind} others={others} />
        ))}
      {free.length > 0 && (
        <label className="flex min-h-11 items-start gap-3 pt-2 text-ink">
          <input
            type="checkbox"
            className="mt-1 size-5 shrink-0"
            onChange={(event) => onFreeMedia(event.target.checked)}
          />
          <span>
            Also delete its {free.map(({ kind }) => kind).join(' and ')}
            <span className="block text-sm text-muted">
              Nothing else uses {free.length > 1 ? 'them' : 'it'}. The files go after the 30 days.
            </span>
          </span>
        </label>
      )}
    </>
  )
}

const InUse = ({ kind, others }: Pick<OwnMedia, 'kind' | 'others'>) => (
  <div>
    <p>Its {kind} stays, because it is used here too:</p>
    <ul className="mt-1 max-h-40 list-disc overflow-y-auto ps-5">
      {others.map(({ id, title, isDeleted }) => (
        <li key={id}>
          {isDeleted ? (
            `${title} (deleted, can be restored)`
          ) : (
            <Link to={`/resource/${id}`} className="text-accent underline underline-offset-4">
              {title}
            </Link>
          )}
        </li>
      ))}
    </ul>
  </div>
)
