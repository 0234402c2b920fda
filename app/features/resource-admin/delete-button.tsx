import { Trash2 } from 'lucide'
import { Suspense, use, useEffect, useEffectEvent } from 'react'
import { href, Link, useFetcher, useNavigate, useRevalidator, useSubmit } from 'react-router'
import { openSession } from '#app/session/session.ts'
import { classes } from '#app/ui/button.tsx'
import { useAlert, useConfirm } from '#app/ui/forms/dialog.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { toast } from '#app/ui/toast.tsx'
import { type DeletionOutcome, leaveForContent } from './deletion.ts'
import { findOwnMedia, type OwnMedia, type WithMedia } from './media-uses.ts'

export interface DeleteButtonProps {
  resource: WithMedia & { title: string }
  /** Where to go afterwards: a page that shows the resource alone has nothing left to show. */
  leaveTo?: string | undefined
  /** Says beside the bin what it does. */
  withWords?: boolean | undefined
}

/** Deletes a resource after asking, and offers to undo it. For admins. */
export function DeleteButton({ resource, leaveTo, withWords = false }: DeleteButtonProps) {
  const { remove, dialogs } = useDeletion(resource, leaveTo)
  return (
    <>
      <button
        type="button"
        aria-label={`Delete ${resource.title}`}
        title="Delete"
        onClick={remove}
        className={classes(
          'inline-flex min-h-11 min-w-11 cursor-pointer items-center justify-center gap-2 rounded-full border bg-surface text-ink transition-colors hover:border-warning hover:text-warning',
          withWords ? 'border-edge font-semibold sm:px-5' : 'border-line',
        )}
      >
        <Icon icon={Trash2} className="size-5" />
        {withWords && <span className="max-sm:hidden">Delete</span>}
      </button>
      {dialogs}
    </>
  )
}

function useDeletion(resource: DeleteButtonProps['resource'], leaveTo: string | undefined) {
  const [ask, question] = useConfirm()
  const [alert, message] = useAlert()
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const { submit, data: outcome } = useFetcher<DeletionOutcome>()
  const send = useSubmit()
  const { id, title } = resource

  const remove = async () => {
    const choice = { freesMedia: false }
    const setFreesMedia = (frees: boolean) => {
      choice.freesMedia = frees
    }
    const isSure = await ask({
      title: `Delete “${title}”?`,
      body: <DeletionTerms media={lookUp(resource)} onFreeMedia={setFreesMedia} />,
      confirmLabel: 'Delete',
      tone: 'danger',
    })
    if (!isSure) return
    // What the page shows is asked for below: this button would be gone before it could say so.
    const toDashboard = { method: 'post', action: href('/admin'), defaultShouldRevalidate: false } as const
    await submit({ intent: 'delete', id, ...(choice.freesMedia && { freesMedia: 'yes' }) }, toDashboard)
  }
  /** Works from any page, and when this button is gone. */
  const undo = () => {
    leaveForContent()
    void send({ intent: 'restore', id, title }, { method: 'post', action: href('/admin'), navigate: false })
  }
  const settle = useEffectEvent(async ({ isDeleted }: DeletionOutcome) => {
    if (!isDeleted) return alert('Failed to delete resource. Please try again.')
    await (leaveTo ? navigate(leaveTo) : revalidate())
    toast(`“${title}” is deleted.`, { label: 'Undo', run: undo })
  })
  useEffect(() => {
    if (outcome) void settle(outcome)
  }, [outcome])
  return {
    remove,
    dialogs: (
      <>
        {question}
        {message}
      </>
    ),
  }
}

/** Where it cannot be found out, the question is asked without it. */
const lookUp = async (resource: WithMedia) => {
  try {
    const access = await (await openSession()).access()
    return access && (await findOwnMedia(access, resource))
  } catch (error) {
    console.warn('Where its files are used is not known:', error)
    return null
  }
}

interface DeletionTermsProps {
  /** Null when it could not be found out: then no file is touched. */
  media: Promise<OwnMedia[] | null>
  onFreeMedia: (frees: boolean) => void
}

/** What a deletion means, and what becomes of the resource's files. */
const DeletionTerms = (props: DeletionTermsProps) => (
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
            <Link to={href('/resource/:id', { id })} className="text-accent underline underline-offset-4">
              {title}
            </Link>
          )}
        </li>
      ))}
    </ul>
  </div>
)
