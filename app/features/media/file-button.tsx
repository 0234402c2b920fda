import { useRef } from 'react'
import { Button } from '#app/ui/button.tsx'

interface Props {
  label: string
  accept: string
  /** It stays where the focus is, but does nothing. */
  isBusy: boolean
  onFile(file: File): void
}

/** Opens the system's dialog for files. */
export function FileButton({ label, accept, isBusy, onFile }: Props) {
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
