import { Button } from '#app/ui/button.tsx'

interface Props {
  name: string
  /** From 0 to 1. */
  share: number
  onCancel(): void
}

/** How far an upload has come, and a way out of it. */
export function UploadProgress({ name, share, onCancel }: Props) {
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
