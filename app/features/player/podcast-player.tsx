import { type KeyboardEvent, useEffect, useReducer, useRef, useState } from 'react'
import { classes } from '#app/ui/button.tsx'
import { BackButton, ForwardButton, PlayButton, RestartButton, SeekBar, SpeedMenu } from './controls.tsx'
import { type Command, commandForKey, type Focused, type Playback, paused, reduce } from './player-state.ts'
import { useSpeed } from './player-storage.ts'
import { type Episode, Recording } from './recording.ts'

interface PodcastPlayerProps {
  resource: Episode
  /** For cards: smaller, and nothing is downloaded before the listener presses play. */
  compact?: boolean
  /** Address of a picture for the lock screen. */
  artwork?: string
}

/** Plays a podcast (specification, sections 2 and 4). Without JavaScript it is the browser's own player. */
export function PodcastPlayer({ resource, compact = false, artwork }: PodcastPlayerProps) {
  if (!resource.audioUrl) return <Unplayable compact={compact} isSo />
  const key = `${resource.id} ${resource.audioUrl}`
  return <Player key={key} episode={{ ...resource, artwork }} src={resource.audioUrl} compact={compact} />
}

interface PlayerProps {
  episode: Episode
  src: string
  compact: boolean
}

function Player({ episode, src, compact }: PlayerProps) {
  const { element, playback, run } = useRecording(episode)
  const Controls = compact ? CompactControls : FullControls
  return (
    // biome-ignore lint/a11y/useSemanticElements: a player is a group of controls, but no fieldset of a form
    <div
      role="group"
      aria-label={`Podcast player: ${episode.title}`}
      className={compact ? '' : 'rounded-2xl border border-line bg-surface px-4 pt-4 sm:px-8 sm:pt-6'}
      onKeyDown={(event) => handleKey(event, run)}
    >
      {/* biome-ignore lint/a11y/useMediaCaption: episodes come without caption tracks */}
      <audio ref={element} src={src} preload={compact ? 'none' : 'metadata'} />
      <div className="noscript:hidden">
        <Controls playback={playback} run={run} />
        <Unplayable compact={compact} isSo={playback.failed} />
      </div>
      <noscript>
        {/* biome-ignore lint/a11y/useMediaCaption: as above */}
        <audio className={classes('w-full', !compact && 'mb-4 sm:mb-6')} controls preload="none" src={src} />
      </noscript>
    </div>
  )
}

interface ControlsProps {
  playback: Playback
  run(command: Command): void
}

const FullControls = ({ playback, run }: ControlsProps) => (
  <>
    <SeekBar playback={playback} compact={false} run={run} />
    <div className="mt-1 grid grid-cols-[1fr_auto_auto_auto_1fr] items-center sm:gap-5">
      <span className="-ml-3">
        <RestartButton compact={false} run={run} />
      </span>
      <BackButton compact={false} run={run} />
      <PlayButton phase={playback.phase} compact={false} run={run} />
      <ForwardButton compact={false} run={run} />
      <span className="-mr-2 justify-self-end">
        <SpeedMenu compact={false} />
      </span>
    </div>
  </>
)

const CompactControls = ({ playback, run }: ControlsProps) => (
  <>
    <div className="flex items-start gap-3">
      <PlayButton phase={playback.phase} compact run={run} />
      <SeekBar playback={playback} compact run={run} />
    </div>
    <div className="mt-1 ml-1 flex items-center gap-1">
      <RestartButton compact run={run} />
      <BackButton compact run={run} />
      <ForwardButton compact run={run} />
      <span className="-mr-2 ml-auto">
        <SpeedMenu compact />
      </span>
    </div>
  </>
)

// Always there, so that screen readers hear the line appear; in the full player its room is kept as well.
const Unplayable = ({ compact, isSo }: { compact: boolean; isSo: boolean }) => (
  <p
    role="status"
    className={classes('text-balance text-sm', compact ? 'mt-1 empty:mt-0' : 'min-h-8 py-1.5 text-center')}
  >
    {isSo && "This recording can't be played right now."}
  </p>
)

function handleKey(event: KeyboardEvent, run: (command: Command) => void) {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const command = commandForKey(event.key, focusedOn(event.target))
  if (!command) return
  event.preventDefault()
  // A key held down moves on and on, but does not flicker between play and pause.
  if (!event.repeat || command.kind !== 'toggle') run(command)
}

function focusedOn(target: EventTarget): Focused {
  if (target instanceof HTMLSelectElement) return 'menu'
  return target instanceof HTMLInputElement ? 'bar' : 'button'
}

/**
 * Plays an episode through an audio element.
 * @param episode what to play; only its first value counts, so another one needs a component with another key
 * @returns the ref for the element, what to show, and `run` for the listener's commands
 */
function useRecording(episode: Episode) {
  const element = useRef<HTMLAudioElement>(null)
  const recording = useRef<Recording>(null)
  const [first] = useState(episode)
  const [playback, dispatch] = useReducer(reduce, paused(first.duration))
  const speed = useSpeed()

  useEffect(() => {
    if (!element.current) return
    const opened = new Recording(element.current, first, dispatch)
    recording.current = opened
    return () => opened.close()
  }, [first])

  // After the effect above, so that it finds the recording.
  useEffect(() => recording.current?.setSpeed(speed), [speed])

  const run = (command: Command) => recording.current?.run(command)
  return { element, playback, run }
}
