import { type ChangeEvent, type CSSProperties, useRef, useState } from 'react'
import { classes } from '#app/ui/button.tsx'
import { clockText, spokenDuration } from '#domain/duration.ts'
import { type Command, restart } from './commands.ts'
import type { Playback } from './player-state.ts'
import './player.css'

interface SeekBarProps {
  playback: Playback
  compact: boolean
  obey(command: Command): void
}

/** How much of the bar is filled. Nothing at the start, so that the server's HTML needs no inline style. */
const fill = (position: number, total: number) =>
  position > 0 && total > 0 ? ({ '--played': position / total } as CSSProperties) : undefined

/** The progress bar with elapsed and total time: click, drag or use the keys to seek, double-click to restart. */
export function SeekBar({ playback, compact, obey }: SeekBarProps) {
  const { dragged, ...dragging } = useDragging((seconds) => obey({ kind: 'seek', to: seconds }))
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
        onDoubleClick={() => obey(restart)}
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
