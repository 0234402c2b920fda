import { Heart } from 'lucide'
import { useMember } from '#app/session/current-user.tsx'
import { classes } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { toggleSaved } from './toggle-saved.ts'

export interface HeartButtonProps {
  resource: { id: string; title: string }
  /** Says beside the heart what it does. */
  withWords?: boolean | undefined
}

/** The heart: its name stays the same, its state (pressed, filled) tells whether the resource is on the member's list. */
export function HeartButton({ resource: { id, title }, withWords = false }: HeartButtonProps) {
  const isSaved = useMember()?.savedResources.includes(id) ?? false
  return (
    <button
      type="button"
      aria-pressed={isSaved}
      aria-label={`Save ${title}`}
      title={isSaved ? 'Saved' : 'Save'}
      onClick={() => toggleSaved(id)}
      className={classes(
        'inline-flex min-h-11 min-w-11 cursor-pointer items-center justify-center gap-2 rounded-full border bg-surface text-accent transition-colors hover:border-accent',
        withWords ? 'border-edge px-5 font-semibold' : 'border-line',
      )}
    >
      <Icon icon={Heart} className={isSaved ? 'size-5 fill-current' : 'size-5'} />
      {withWords && 'Save'}
    </button>
  )
}
