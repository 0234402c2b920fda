import { useCallback, useId, useRef, useState } from 'react'
import { href } from 'react-router'
import type { SiteSettings } from '#app/session/site.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog, useAlert, useConfirm } from '#app/ui/forms/dialog.tsx'
import { type MediaKind, PICKER_LIMIT, shownAddress, thumbnailAddress } from '#domain/media/rules.ts'
import { mediaWords } from './media-messages.tsx'
import {
  type MediaAccess,
  type MediaUse,
  removeFile,
  type StoredFile,
  useStoredFiles,
  usesOf,
} from './stored-files.ts'

interface PickerDialogProps {
  kind: MediaKind
  session: MediaAccess
  /** The address that is in the field. */
  chosen: string
  onChosen(address: string): void
  onRemoved(address: string): void
  onClosed(): void
}

/** What is stored already: to look at or listen to, to find by name, to take, and to remove. */
export function PickerDialog({ kind, session, chosen, onChosen, onRemoved, onClosed }: PickerDialogProps) {
  const title = useId()
  const searchBox = useRef<HTMLInputElement>(null)
  const words = mediaWords[kind]
  const [alert, alertDialog] = useAlert()
  const sayFailed = useCallback((why: string) => void alert(`${words.loadFailed}: ${why}`), [alert, words])
  const files = useStoredFiles(kind, session, sayFailed)
  const removal = useRemoval({ kind, session, chosen, say: alert })

  const remove = async (file: StoredFile) => {
    if (!(await removal.remove(file))) return
    files.drop(file.name)
    onRemoved(file.address)
    searchBox.current?.focus()
  }

  return (
    <Dialog labelledBy={title} onClosed={onClosed} focusFirst={searchBox} className="media-picker">
      {(close) => (
        <>
          <div className="flex items-start justify-between gap-4">
            <h2 id={title} className="text-2xl">
              {words.pickerTitle}
            </h2>
            <Button look="quiet" className="-me-5 -mt-2" onClick={close}>
              Close
            </Button>
          </div>
          <input
            ref={searchBox}
            type="search"
            aria-label="Search by name"
            placeholder="Search by name"
            value={files.search}
            onChange={({ target }) => files.seek(target.value)}
            className="mt-3 h-12 w-full rounded-lg border border-edge bg-surface px-4 text-base"
          />
          <p role="status" className="mt-2 text-sm text-muted">
            {removal.said} {summary(kind, files)}
          </p>
          <ul className="media-files" data-kind={kind}>
            {files.shown.map((file) => (
              <PickerFile
                key={file.name}
                kind={kind}
                file={file}
                settings={session.settings}
                isChosen={file.address === chosen}
                onChoose={() => {
                  onChosen(file.address)
                  close()
                }}
                onRemove={() => void remove(file)}
              />
            ))}
          </ul>
          {removal.dialog}
          {alertDialog}
        </>
      )}
    </Dialog>
  )
}

const summary = (kind: MediaKind, { state, shown, search, hasMore }: ReturnType<typeof useStoredFiles>) => {
  const { noun } = mediaWords[kind]
  if (state === 'loading') return 'Loading…'
  if (state === 'failed') return 'The list could not be loaded. Please close it and try again.'
  if (shown.length === 0) return search ? `No ${noun} has a name like that.` : `There is no ${noun} yet.`
  if (hasMore) return `The newest ${PICKER_LIMIT} are shown. Search to find others.`
  return shown.length === 1 ? `1 ${noun}` : `${shown.length} ${noun}s, newest first`
}

interface RemovalOptions {
  kind: MediaKind
  session: MediaAccess
  chosen: string
  say(message: string): Promise<void>
}

/** Removing with a question before, and a word after. */
function useRemoval({ kind, session, chosen, say }: RemovalOptions) {
  const { noun, deleteFailed } = mediaWords[kind]
  const [ask, dialog] = useConfirm()
  const [said, setSaid] = useState('')

  /** Gives whether the file is gone. */
  const remove = async ({ name, address }: StoredFile): Promise<boolean> => {
    const uses = await usesOf(session, address)
    const isSure = await ask({
      title: `Remove “${name}”?`,
      body: <RemovalQuestion noun={noun} uses={uses} isChosen={address === chosen} />,
      confirmLabel: 'Remove',
      tone: 'danger',
    })
    if (!isSure) return false
    try {
      await removeFile(session, kind, name)
      setSaid(`${name} is removed.`)
      return true
    } catch (error) {
      await say(`${deleteFailed}: ${error instanceof Error ? error.message : error}`)
      return false
    }
  }
  return { remove, dialog, said }
}

interface PickerFileProps {
  kind: MediaKind
  file: StoredFile
  settings: SiteSettings
  isChosen: boolean
  onChoose(): void
  onRemove(): void
}

/** One stored file: what it looks or sounds like, to be taken or removed. */
function PickerFile({ kind, file, settings, isChosen, onChoose, onRemove }: PickerFileProps) {
  const { name, address } = file
  return (
    <li className="media-file" data-chosen={isChosen || undefined}>
      {kind === 'image' ? (
        <button type="button" onClick={onChoose} tabIndex={-1} aria-hidden className="cursor-pointer">
          <img
            src={thumbnailAddress(address, settings, 320)}
            alt=""
            loading="lazy"
            className="aspect-[4/3] w-full rounded-lg bg-sunken object-contain"
          />
        </button>
      ) : (
        // biome-ignore lint/a11y/useMediaCaption: a recording has no captions; its page describes it
        <audio src={shownAddress(address, settings)} controls preload="none" aria-label={name} />
      )}
      <p className="mt-2 line-clamp-2 text-sm break-all">{name}</p>
      <div className="-mx-1 mt-auto flex justify-between">
        <Button look="quiet" onClick={onChoose} aria-label={`Use ${name}`} aria-pressed={isChosen}>
          {isChosen ? 'In use' : 'Use'}
        </Button>
        <Button look="quiet" onClick={onRemove} aria-label={`Remove ${name}`}>
          Remove
        </Button>
      </div>
    </li>
  )
}

interface RemovalQuestionProps {
  noun: string
  /** Undefined when it could not be found out. */
  uses: MediaUse[] | undefined
  isChosen: boolean
}

/** What somebody should know before a file is removed for good: where it is used. */
const RemovalQuestion = ({ noun, uses, isChosen }: RemovalQuestionProps) => (
  <>
    <UsedBy noun={noun} uses={uses} />
    {isChosen && <p>This form uses it too: its field will be empty.</p>}
    <p>A removed {noun} cannot be brought back.</p>
  </>
)

function UsedBy({ noun, uses }: Omit<RemovalQuestionProps, 'isChosen'>) {
  if (!uses) return <p>Whether a resource uses this {noun} could not be found out.</p>
  if (uses.length === 0) return <p>No resource uses this {noun}.</p>
  return (
    <>
      <p>This {noun} is used here, and will be missing there:</p>
      <ul className="max-h-48 list-disc space-y-1 overflow-y-auto ps-5">
        {uses.map(({ id, title, isDeleted }) => (
          <li key={id}>
            {isDeleted ? (
              `${title} (deleted, can be restored from your dashboard)`
            ) : (
              <a
                href={href('/resource/:id', { id })}
                target="_blank"
                rel="noreferrer"
                className="text-accent underline underline-offset-4"
              >
                {title}
              </a>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}
