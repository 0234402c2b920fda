import { type ReactNode, useId, useState } from 'react'
import type { MediaAccess } from '#app/session/client/media-access.ts'
import { Button } from '#app/ui/button.tsx'
import { useAlert } from '#app/ui/dialog.tsx'
import { keptAddress, shownAddress } from '#domain/media/address.ts'
import type { MediaKind } from '#domain/media/rules.ts'
import { FileButton } from './file-button.tsx'
import { mediaWords } from './media-words.tsx'
import { PickerDialog } from './picker-dialog.tsx'
import { UploadProgress } from './upload-progress.tsx'
import { useDropTarget } from './use-drop-target.ts'
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
  const id = useId()
  const { label, hint } = mediaWords[kind]
  return (
    <>
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      <input
        id={id}
        type="url"
        required={required}
        value={shownAddress(value, session.settings)}
        onChange={({ target }) => onChange(keptAddress(target.value, session.settings))}
        onBlur={onBlur}
        aria-invalid={Boolean(error)}
        aria-describedby={`${id}-hint${error ? ` ${id}-error` : ''}`}
        className="mt-1.5 h-12 w-full rounded-lg border border-edge bg-surface px-4 text-base aria-invalid:border-warning"
      />
      {error && (
        <p id={`${id}-error`} className="mt-1.5 text-sm font-semibold text-warning">
          {error}
        </p>
      )}
      <p id={`${id}-hint`} className="mt-1.5 text-sm text-muted">
        {hint}
      </p>
    </>
  )
}
