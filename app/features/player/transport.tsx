import { Pause, Play, RotateCcw, RotateCw, SkipBack } from 'lucide'
import type { ReactNode } from 'react'
import { classes } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { back, type Command, forward, restart, skipStep, toggle } from './commands.ts'
import type { Playback } from './player-state.ts'

interface ControlProps {
  compact: boolean
  obey(command: Command): void
}

// The border is seen in forced colours only, where backgrounds go.
const round =
  'relative grid shrink-0 cursor-pointer place-items-center rounded-full border border-transparent'

/** Play, or pause while playing; a quiet ring turns around it while it waits for sound. */
export function PlayButton({ phase, compact, obey }: ControlProps & Pick<Playback, 'phase'>) {
  const isPaused = phase === 'paused'
  const label = isPaused ? 'Play' : 'Pause'
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={() => obey(toggle)}
      className={classes(
        round,
        'bg-accent text-on-accent motion-safe:transition-transform motion-safe:active:scale-95',
        compact ? 'size-11' : 'size-15 sm:size-18',
      )}
    >
      {/* The triangle's weight lies to its left: half a step puts it in the middle for the eye. */}
      <Icon
        icon={isPaused ? Play : Pause}
        className={classes('fill-current', compact ? 'size-5' : 'size-7', isPaused && 'translate-x-[6%]')}
        strokeWidth={1.5}
      />
      {phase === 'loading' && (
        <span className="player-ring absolute -inset-1.5 rounded-full border-2 border-accent border-t-transparent" />
      )}
    </button>
  )
}

interface StepButtonProps extends ControlProps {
  label: string
  command: Command
  children: ReactNode
}

function StepButton({ label, command, compact, obey, children }: StepButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={() => obey(command)}
      className={classes(
        round,
        'text-muted hover:bg-tint hover:text-ink',
        compact ? 'size-9' : 'size-11 sm:size-12',
      )}
    >
      {children}
    </button>
  )
}

const iconSize = (compact: boolean) => (compact ? 'size-6' : 'size-8')

const SkipSeconds = ({ compact }: { compact: boolean }) => (
  <span
    aria-hidden="true"
    className={classes(
      'absolute inset-0 grid place-items-center font-semibold tabular-nums',
      compact ? 'text-[0.5rem]' : 'text-[0.625rem]',
    )}
  >
    {skipStep}
  </span>
)

/** Back to the start. */
export const RestartButton = (controls: ControlProps) => (
  <StepButton label="Restart" command={restart} {...controls}>
    <Icon icon={SkipBack} className={controls.compact ? 'size-4.5' : 'size-6'} strokeWidth={1.5} />
  </StepButton>
)

/** 15 seconds back. */
export const BackButton = (controls: ControlProps) => (
  <StepButton label={`Back ${skipStep} seconds`} command={back} {...controls}>
    <Icon icon={RotateCcw} className={iconSize(controls.compact)} strokeWidth={1.25} />
    <SkipSeconds compact={controls.compact} />
  </StepButton>
)

/** 15 seconds forward. */
export const ForwardButton = (controls: ControlProps) => (
  <StepButton label={`Forward ${skipStep} seconds`} command={forward} {...controls}>
    <Icon icon={RotateCw} className={iconSize(controls.compact)} strokeWidth={1.25} />
    <SkipSeconds compact={controls.compact} />
  </StepButton>
)
