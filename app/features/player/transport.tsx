import type { ReactNode } from 'react'
import { classes } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { back, type Command, forward, restart, skipStep, toggle } from './commands.ts'
import type { Playback } from './player-state.ts'

const drawings = {
  play: 'M7 4.5v15a.8.8 0 0 0 1.2.7l12-7.5a.8.8 0 0 0 0-1.4l-12-7.5A.8.8 0 0 0 7 4.5z',
  pause: 'M6.5 4.5h3v15h-3zM14.5 4.5h3v15h-3z',
  restart: 'M18.5 5v14L8 12zM5 5v14',
  back: 'M3.5 12a8.5 8.5 0 1 0 3-6.5L3.5 8M3.5 3.5V8H8',
  forward: 'M20.5 12a8.5 8.5 0 1 1-3-6.5l3 2.5M20.5 3.5V8H16',
}

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
        path={isPaused ? drawings.play : drawings.pause}
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
    <Icon path={drawings.restart} className={controls.compact ? 'size-4.5' : 'size-6'} strokeWidth={1.5} />
  </StepButton>
)

/** 15 seconds back. */
export const BackButton = (controls: ControlProps) => (
  <StepButton label={`Back ${skipStep} seconds`} command={back} {...controls}>
    <Icon path={drawings.back} className={iconSize(controls.compact)} strokeWidth={1.25} />
    <SkipSeconds compact={controls.compact} />
  </StepButton>
)

/** 15 seconds forward. */
export const ForwardButton = (controls: ControlProps) => (
  <StepButton label={`Forward ${skipStep} seconds`} command={forward} {...controls}>
    <Icon path={drawings.forward} className={iconSize(controls.compact)} strokeWidth={1.25} />
    <SkipSeconds compact={controls.compact} />
  </StepButton>
)
