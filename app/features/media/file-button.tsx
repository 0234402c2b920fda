import { useRef } from 'react'
import { Button } from '#app/ui/button.tsx'

interface Props {
  label: string
  accept: string
  disabled: boolean
  onFile(file: File): void
}

/** Opens the system's dialog for files. */
export function FileButton({ label, accept, disabled, onFile }: Props) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button look="secondary" disabled={disabled} onClick={() => input.current?.click()}>
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
