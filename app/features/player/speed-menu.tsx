import { ChevronDown } from 'lucide'
import { classes } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { speedFrom, speeds } from '#domain/preferences.ts'
import { speedPreference, useSpeed } from './speed-preference.ts'

/** The speed of all players, as the platform's own menu: known to every phone, keyboard and screen reader. */
export function SpeedMenu({ compact }: { compact: boolean }) {
  return (
    <span className="relative inline-flex items-center rounded-full text-muted hover:bg-tint hover:text-ink">
      <select
        aria-label="Speed"
        title="Speed"
        className={classes(
          'cursor-pointer appearance-none rounded-full border border-transparent bg-transparent',
          'pr-6 pl-1 text-right text-base tabular-nums',
          compact ? 'h-9' : 'h-11',
        )}
        value={useSpeed()}
        onChange={(event) => speedPreference.choose(speedFrom(event.currentTarget.value))}
      >
        {speeds.map((speed) => (
          <option className="bg-surface text-ink" key={speed} value={speed}>
            {speed}×
          </option>
        ))}
      </select>
      <Icon icon={ChevronDown} className="pointer-events-none absolute right-2 size-3.5" strokeWidth={2} />
    </span>
  )
}
