import { type DragEvent, type ReactNode, useId, useRef, useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { useAlert } from '#app/ui/forms/dialog.tsx'
import { Field } from '#app/ui/forms/field.tsx'
import { keptAddress, type MediaKind, shownAddress, thumbnailAddress } from '#domain/media/rules.ts'
import { mediaWords } from './media-messages.tsx'
import { PickerDialog } from './picker-dialog.tsx'
import type { MediaAccess } from './stored-files.ts'
import { useUpload } from './use-upload.tsx'
import './media.css'

/** What a field for a file's address gets from its form. */
export interface MediaFieldProps {
  /** As it is kept: our own storage's addresses without the origin. */
  value: string
  onChange(value: string): void
  error?: string
  onBlur?(): void
  required?: boolean
  /** Whether an upload is on its way. */
  onBusy?(busy: boolean): void
  session: MediaAccess
}

/** The address of a picture or recording: typed, uploaded, dropped, or picked from what is stored. */
export function MediaField({
  kind,
  children,
  ...field
}: MediaFieldProps & {
  kind: MediaKind
  /** What the address leads to. */
  children: ReactNode
}) {
  const { onChange, onBusy, session } = field
  const words = mediaWords[kind]
  const [alert, alertDialog] = useAlert()
  const [isPicking, setPicking] = useState(false)
  const { upload, start, cancel } = useUpload({ kind, session, onStored: onChange, onRefused: alert, onBusy })
  const { isOver, target } = useDropTarget(start)

  return (
    <div {...target} data-over={isOver || undefined} className="media-field">
      <AddressInput {...field} kind={kind} />
      <div className="media-actions mt-3 flex flex-wrap items-center gap-x-2 gap-y-3">
        <FileButton label={words.upload} accept={words.accept} isBusy={Boolean(upload)} onFile={start} />
        <Button look="quiet" onClick={() => setPicking(true)}>
          {words.pickerTitle}…
        </Button>
      </div>
      {upload && <UploadProgress {...upload} onCancel={cancel} />}
      {children}
      {isPicking && (
        <PickerDialog
          kind={kind}
          session={session}
          chosen={field.value}
          onChosen={onChange}
          onRemoved={(address) => address === field.value && onChange('')}
          onClosed={() => setPicking(false)}
        />
      )}
      {alertDialog}
    </div>
  )
}

function AddressInput(props: MediaFieldProps & { kind: MediaKind }) {
  const { kind, value, onChange, onBlur, error, required, session } = props
  const { label, hint } = mediaWords[kind]
  return (
    <Field
      id={useId()}
      name={kind}
      label={label}
      hint={hint}
      error={error}
      type="url"
      required={required}
      value={shownAddress(value, session.settings)}
      onChange={({ target }) => onChange(keptAddress(target.value, session.settings))}
      onBlur={onBlur}
    />
  )
}

/** The field "Image URL" of a form, with upload, drop and picker. */
export function ImageField(props: MediaFieldProps) {
  const { value, session } = props
  const [broken, setBroken] = useState('')
  return (
    <MediaField {...props} kind="image">
      {broken !== value && URL.canParse(shownAddress(value, session.settings)) && (
        <img
          src={thumbnailAddress(value, session.settings, 320)}
          alt="As it is chosen now"
          className="mt-3 h-28 w-auto max-w-full rounded-lg border border-line object-contain"
          onError={() => setBroken(value)}
        />
      )}
    </MediaField>
  )
}

interface FileButtonProps {
  label: string
  accept: string
  /** It stays where the focus is, but does nothing. */
  isBusy: boolean
  onFile(file: File): void
}

/** Opens the system's dialog for files. */
function FileButton({ label, accept, isBusy, onFile }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button
        look="secondary"
        aria-disabled={isBusy}
        className="aria-disabled:cursor-wait aria-disabled:opacity-60"
        onClick={() => !isBusy && input.current?.click()}
      >
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        accept={accept}
        hidden
        aria-label={label}
        onChange={({ target }) => {
          const [file] = target.files ?? []
          // The same file may be chosen again, after it was renamed or mended.
          target.value = ''
          if (file) onFile(file)
        }}
      />
    </>
  )
}

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files')

/** Lets a file be dropped on an element; a file that misses it would otherwise replace the page in some browsers. */
function useDropTarget(onFile: (file: File) => void) {
  const [isOver, setOver] = useState(false)
  const over = (event: DragEvent) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    setOver(true)
  }
  const target = {
    onDragEnter: over,
    onDragOver: over,
    onDragLeave: ({ currentTarget, relatedTarget }: DragEvent) => {
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false)
    },
    onDrop: (event: DragEvent) => {
      setOver(false)
      const [file] = event.dataTransfer.files
      if (!file) return
      event.preventDefault()
      onFile(file)
    },
  }
  return { isOver, target }
}

interface UploadProgressProps {
  name: string
  /** From 0 to 1. */
  share: number
  onCancel(): void
}

/** How far an upload has come, and a way out of it. */
function UploadProgress({ name, share, onCancel }: UploadProgressProps) {
  const percent = Math.floor(share * 100)
  return (
    <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg bg-sunken px-4 py-3">
      <p className="min-w-0 grow basis-full truncate text-sm">Uploading {name}</p>
      <progress className="media-progress" max={100} value={percent} aria-label={`Uploading ${name}`} />
      <span className="w-12 text-end text-sm tabular-nums">{percent}%</span>
      <Button look="quiet" className="-me-4" aria-label="Cancel upload" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  )
}
