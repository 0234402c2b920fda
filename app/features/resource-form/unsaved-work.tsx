import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useBlocker } from 'react-router'
import { askBeforeLogout } from '#app/session/client/auth-session.ts'
import { draftClosed, isDraftOpen } from '#app/session/client/draft-store.ts'
import { Button } from '#app/ui/button.tsx'
import { useConfirm } from '#app/ui/forms/dialog.tsx'
import { categoryLabels } from '#domain/resource.ts'
import type { Draft } from '#domain/resource-form/draft.ts'
import { changedFields, fieldLabels } from '#domain/resource-form/fields.ts'

interface LeaveGuard {
  /** Whether something is unsaved, asked at the moment of leaving. */
  isGuarded(): boolean
  /** Keeps what can be kept; whether it can come back. */
  keep(): Promise<boolean>
  /** The admin was asked, and logs out. @param leavesNothing what was typed is to go from this browser */
  onLogout(leavesNothing: boolean): void
}

/**
 * Asks before unsaved changes are left behind, by Logout too: in our words within the site, in the browser's when the page
 * is closed. Returns the dialog to be rendered.
 */
export function useLeaveGuard({ isGuarded, keep, onLogout }: LeaveGuard): ReactNode {
  const [ask, dialog] = useConfirm()
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname && isGuarded(),
  )
  const { state, proceed, reset } = blocker
  // biome-ignore lint/correctness/useExhaustiveDependencies: one question for each time that leaving was stopped
  useEffect(() => {
    if (state !== 'blocked') return
    void keep()
      .catch(() => false)
      .then((isKept) => ask({ ...question, body: isKept ? KEPT : LOST, confirmLabel: 'Leave' }))
      .then((leaves) => (leaves ? proceed() : reset()))
  }, [state])
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (isGuarded()) event.preventDefault()
    }
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isGuarded])
  useEffect(
    () =>
      askBeforeLogout(async () => {
        if (!isGuarded()) return true
        let leavesNothing = false
        const setLeavesNothing = (leaves: boolean) => {
          leavesNothing = leaves
        }
        const body = (await keep()) ? <LogoutTerms onLeaveNothing={setLeavesNothing} /> : LOST
        if (!(await ask({ ...question, body, confirmLabel: 'Log out' }))) return false
        onLogout(leavesNothing)
        return true
      }),
    [isGuarded, keep, onLogout, ask],
  )
  return dialog
}

const question = { title: 'Leave without saving?', cancelLabel: 'Keep editing', tone: 'danger' } as const
const KEPT =
  'Your changes are not saved yet. They are kept in this browser and offered to you when you come back.'
const LOST = 'Your changes are not saved yet, and this browser has no room to keep them: they would be lost.'

const LogoutTerms = ({ onLeaveNothing }: { onLeaveNothing: (leaves: boolean) => void }) => (
  <>
    <p>
      Your changes are not saved yet. They are kept in this browser and offered to you when you log in again;
      nobody else who logs in here is shown them.
    </p>
    <label className="flex min-h-11 items-start gap-3 pt-2 text-ink">
      <input
        type="checkbox"
        className="mt-1 size-5 shrink-0"
        onChange={({ target }) => onLeaveNothing(target.checked)}
      />
      <span>
        Others use this computer: delete all my drafts from it
        <span className="block text-sm text-muted">Then they cannot be brought back.</span>
      </span>
    </label>
  </>
)

interface DraftListProps {
  drafts: readonly Draft[]
  onContinue(draft: Draft): void
  onDiscard(draft: Draft): void
}

const SHOWN_FIRST = 3
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const lists = new Intl.ListFormat('en', { type: 'conjunction' })

const titleOf = ({ fields }: Draft) => (fields.title.trim() ? `“${fields.title.trim()}”` : 'Without a title')

/** Offers what was typed on an earlier visit, or in another tab, and never saved. Nothing goes unasked. */
export function DraftList({ drafts, onContinue, onDiscard }: DraftListProps) {
  const [ask, confirmation] = useConfirm()
  const [showsAll, setShowsAll] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const isOpen = useOpenDrafts(drafts)
  const id = useId()
  if (drafts.length === 0) return confirmation
  const isNew = drafts.every(({ basedOn }) => basedOn === null)
  const shown = showsAll ? drafts : drafts.slice(0, SHOWN_FIRST)
  /** What was pressed is gone; the list goes on with the first draft that was not shown. */
  const showAll = () => {
    flushSync(() => setShowsAll(true))
    list.current?.children[SHOWN_FIRST]?.querySelector('button')?.focus()
  }
  const discard = async (draft: Draft) => {
    const isSure = await ask({
      title: 'Discard this draft?',
      body: `${titleOf(draft)}, from ${moment.format(draft.savedAt)}. A discarded draft cannot be brought back.`,
      confirmLabel: 'Discard',
      tone: 'danger',
    })
    if (!isSure) return
    heading.current?.focus()
    onDiscard(draft)
  }
  return (
    <section aria-labelledby={id} className="resource-drafts">
      <h2 id={id} ref={heading} tabIndex={-1} className="font-sans text-base font-semibold outline-none">
        {isNew ? 'Unfinished drafts' : 'Unsaved changes'}
      </h2>
      <p role="status" className="text-sm text-muted">
        {drafts.length === 1
          ? `You have unsaved changes from ${moment.format(drafts[0]?.savedAt)}.`
          : `You have ${drafts.length} drafts that are not saved.`}{' '}
        Drafts are kept in this browser for 30 days.
      </p>
      <ul ref={list} className="mt-2 divide-y divide-line">
        {shown.map((draft) => (
          <DraftRow
            key={draft.key}
            draft={draft}
            isOpen={isOpen(draft)}
            onContinue={() => onContinue(draft)}
            onDiscard={() => void discard(draft)}
          />
        ))}
      </ul>
      {shown.length < drafts.length && (
        <Button look="quiet" className="-ms-5" onClick={showAll}>
          Show all {drafts.length}
        </Button>
      )}
      {confirmation}
    </section>
  )
}

interface DraftRowProps {
  draft: Draft
  /** Some tab is editing it. */
  isOpen: boolean
  onContinue(): void
  onDiscard(): void
}

function DraftRow({ draft, isOpen, onContinue, onDiscard }: DraftRowProps) {
  const { basedOn, fields, base, savedAt } = draft
  const changed = base ? changedFields(fields, base).map((name) => fieldLabels[name]) : []
  const facts = [
    basedOn === null && categoryLabels[fields.category],
    moment.format(savedAt),
    changed.length > 0 && `changed: ${lists.format(changed)}`,
    isOpen && 'open in another tab',
  ]
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-52">
        <p className="font-semibold wrap-anywhere">{titleOf(draft)}</p>
        <p className="text-sm text-muted">{facts.filter(Boolean).join(' · ')}</p>
      </div>
      <div className="flex gap-1 sm:w-52">
        <Button
          look="secondary"
          onClick={onContinue}
          aria-label={`${basedOn === null ? 'Continue' : 'Restore'} ${titleOf(draft)}`}
        >
          {basedOn === null ? 'Continue' : 'Restore'}
        </Button>
        {!isOpen && (
          <Button look="quiet" className="px-3" onClick={onDiscard} aria-label={`Discard ${titleOf(draft)}`}>
            Discard
          </Button>
        )}
      </div>
    </li>
  )
}

/** Which drafts some tab is editing, as that changes. */
function useOpenDrafts(drafts: readonly Draft[]) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => {
    const ended = new AbortController()
    const setIsOpen = (key: string, is: boolean) => {
      if (ended.signal.aborted) return
      setOpen((before) => new Set(is ? [...before, key] : [...before].filter((other) => other !== key)))
    }
    for (const { key } of drafts) {
      isDraftOpen(key).then(
        async (is) => {
          setIsOpen(key, is)
          if (is) await draftClosed(key, ended.signal)
          setIsOpen(key, false)
        },
        () => undefined,
      )
    }
    return () => ended.abort()
  }, [drafts])
  return ({ key }: Draft) => open.has(key)
}
