import './player.css'
import { ChevronDown, Pause, Play, RotateCcw, RotateCw, SkipBack } from 'lucide'
import { type ChangeEvent, type CSSProperties, type ReactNode, useRef, useState } from 'react'
import { classes } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { clockText, spokenDuration } from '#domain/duration.ts'
import { speedFrom, speeds } from '#domain/preferences.ts'
import { back, type Command, forward, type Playback, restart, skipStep, toggle } from './player-state.ts'
import { chooseSpeed, useSpeed } from './player-storage.ts'

interface ControlProps {
  compact: boolean
  run(command: Command): void
}

// The border is seen in forced colours only, where backgrounds go.
const round =
  'relative grid shrink-0 cursor-pointer place-items-center rounded-full border border-transparent'

/** Play, or pause while playing; a quiet ring turns around it while it waits for sound. */
export function PlayButton({ phase, compact, run }: ControlProps & Pick<Playback, 'phase'>) {
  const isPaused = phase === 'paused'
  const label = isPaused ? 'Play' : 'Pause'
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={() => run(toggle)}
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

function StepButton({ label, command, compact, run, children }: StepButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={() => run(command)}
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

interface SeekBarProps {
  playback: Playback
  compact: boolean
  run(command: Command): void
}

/** How much of the bar is filled. Nothing at the start, so that the server's HTML needs no inline style. */
const fill = (position: number, total: number) =>
  position > 0 && total > 0 ? ({ '--played': position / total } as CSSProperties) : undefined

/** The progress bar with elapsed and total time: click, drag or use the keys to seek, double-click to restart. */
export function SeekBar({ playback, compact, run }: SeekBarProps) {
  const { dragged, ...dragging } = useDragging((seconds) => run({ kind: 'seek', to: seconds }))
  const total = Math.round(playback.total)
  const position = Math.min(Math.floor(dragged ?? playback.position), total)
  return (
    <div className="min-w-0 flex-1">
      <input
        type="range"
        className={classes('seek-bar', compact && 'seek-bar-compact')}
        style={fill(position, total)}
        aria-label="Seek"
        aria-valuetext={`${spokenDuration(position)} of ${spokenDuration(total)}`}
        min={0}
        max={total}
        step={1}
        value={position}
        disabled={total === 0}
        onDoubleClick={() => run(restart)}
        {...dragging}
      />
      <div
        className={classes('flex justify-between text-muted tabular-nums', compact ? 'text-xs' : 'text-sm')}
      >
        <span>{clockText(position)}</span>
        {playback.phase === 'loading' && <span className="player-loading">Loading…</span>}
        <span>{clockText(total)}</span>
      </div>
    </div>
  )
}

/**
 * While the bar is held the time follows the finger; the recording moves when it is let go.
 * A change without a pointer comes from assistive technology and counts at once.
 */
function useDragging(seek: (seconds: number) => void) {
  const [dragged, setDragged] = useState<number>()
  const isHeld = useRef(false)
  const letGo = () => {
    isHeld.current = false
    if (dragged === undefined) return
    setDragged(undefined)
    seek(dragged)
  }
  return {
    dragged,
    onPointerDown: () => {
      isHeld.current = true
    },
    onPointerUp: letGo,
    onPointerCancel: letGo,
    onChange: ({ currentTarget: { valueAsNumber } }: ChangeEvent<HTMLInputElement>) =>
      isHeld.current ? setDragged(valueAsNumber) : seek(valueAsNumber),
  }
}

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
        onChange={(event) => chooseSpeed(speedFrom(event.currentTarget.value))}
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
