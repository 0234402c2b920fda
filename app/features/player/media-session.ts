import type { Command } from './player-state.ts'

/** A player on the lock screen, on headset buttons and in the system's media controls. */
interface Appearance {
  audio: HTMLAudioElement
  title: string
  /** Address of a picture. */
  artwork: string | undefined
  /** Seconds that its skip buttons go. */
  skipStep: number
  run(command: Command): void
  /** Aborts when the player goes away. */
  closed: AbortSignal
}

type Translation = (details: MediaSessionActionDetails, skipStep: number) => Command

const actions: ReadonlyArray<[MediaSessionAction, Translation]> = [
  ['play', () => ({ kind: 'play' })],
  ['pause', () => ({ kind: 'pause' })],
  ['stop', () => ({ kind: 'pause' })],
  ['seekbackward', (_, skipStep) => ({ kind: 'skip', by: -skipStep })],
  ['seekforward', (_, skipStep) => ({ kind: 'skip', by: skipStep })],
  ['seekto', ({ seekTime }) => ({ kind: 'seek', to: seekTime ?? 0 })],
]

let shown: HTMLAudioElement | undefined

/** Puts a player on the lock screen in the place of any other, until it goes away or another takes its place. */
export function showOnLockScreen({ audio, title, artwork, skipStep, run, closed }: Appearance) {
  if (!('mediaSession' in navigator) || closed.aborted) return
  shown = audio
  navigator.mediaSession.metadata = new MediaMetadata({
    title,
    artist: 'Walking Together',
    artwork: artwork ? [{ src: artwork }] : [],
  })
  for (const [action, translate] of actions) handle(action, (details) => run(translate(details, skipStep)))
  // The same function each time, so a player that comes back does not tell everything twice.
  for (const event of ['playing', 'pause', 'seeked', 'ratechange', 'durationchange'])
    audio.addEventListener(event, follow, { signal: closed })
  closed.addEventListener('abort', () => audio === shown && clear())
  tell(audio)
}

function handle(action: MediaSessionAction, handler: MediaSessionActionHandler | null) {
  try {
    navigator.mediaSession.setActionHandler(action, handler)
  } catch {
    // A browser that does not know this action has no button for it.
  }
}

const follow = ({ currentTarget }: Event) => {
  if (shown && currentTarget === shown) tell(shown)
}

function tell({ paused, duration, currentTime, playbackRate }: HTMLAudioElement) {
  navigator.mediaSession.playbackState = paused ? 'paused' : 'playing'
  // A length that is not known, or a position beyond it, would throw.
  if (!Number.isFinite(duration)) return
  const position = Math.min(currentTime, duration)
  navigator.mediaSession.setPositionState?.({ duration, playbackRate, position })
}

function clear() {
  shown = undefined
  navigator.mediaSession.metadata = null
  navigator.mediaSession.playbackState = 'none'
  navigator.mediaSession.setPositionState?.()
  for (const [action] of actions) handle(action, null)
}
