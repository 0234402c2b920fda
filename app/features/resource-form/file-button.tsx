import type { ChangeEvent } from 'react'
import { buttonClass } from '#app/ui/button.tsx'

interface FileButtonProps {
  label: string
  accept: string
  isBusy: boolean
  describedBy: string
  onChange(event: ChangeEvent<HTMLInputElement>): void
}

/** The browser's own choice of a file, in the shape of our buttons. */
export const FileButton = ({ label, accept, isBusy, describedBy, onChange }: FileButtonProps) => (
  <label
    className={buttonClass(
      'secondary',
      'cursor-pointer hover:border-accent hover:text-accent has-focus-visible:outline-3 has-focus-visible:outline-offset-3 has-focus-visible:outline-accent has-disabled:cursor-wait has-disabled:opacity-60',
    )}
  >
    {isBusy ? 'Reading the file...' : label}
    <input
      type="file"
      accept={accept}
      disabled={isBusy}
      aria-describedby={describedBy}
      onChange={onChange}
      className="sr-only"
    />
  </label>
)
