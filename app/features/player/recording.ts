import type { Resource } from '#domain/resource.ts'
import { type Command, isWorthSaving, type PlayerEvent, skipStep, startAt } from './player-state.ts'
import { positions } from './player-storage.ts'

/** What a player needs to know of a resource. */
export interface Episode
  extends Pick<Resource, 'id' | 'title' | 'audioUrl' | 'duration' | 'lastPlayedPosition'> {
  /** Address of a picture for the lock screen. */
  artwork?: string | undefined
}

/** Drives one audio element: commands in, events out, and the listener's position kept on the way. */
export class Recording {
  readonly #audio: HTMLAudioElement
  readonly #episode: Episode
  readonly #dispatch: (event: PlayerEvent) => void
  readonly #closed = new AbortController()
  /** Where to start as soon as the length is known. */
  #wanted: number
  #saved: number
  #failure: unknown

  /**
   * @param audio the element to drive; it may have loaded, or failed, before this was called
   * @param episode what it plays
   * @param dispatch is told everything that happens, from now on and until `close`
   */
  constructor(audio: HTMLAudioElement, episode: Episode, dispatch: (event: PlayerEvent) => void) {
    this.#audio = audio
    this.#episode = episode
    this.#dispatch = dispatch
    this.#wanted = positions.read(episode.id) ?? episode.lastPlayedPosition ?? 0
    this.#saved = this.#wanted
    this.#listen()
    if (this.#isMeasured) this.#measure()
    else dispatch({ kind: 'moved', position: startAt(this.#wanted, episode.duration) })
    if (audio.error) this.#fail(audio.error)
  }

  /** Does what a listener asks for. */
  run(command: Command) {
    switch (command.kind) {
      case 'play':
        return this.#play()
      case 'pause':
        return this.#pause()
      case 'toggle':
        return this.#audio.paused ? this.#play() : this.#pause()
      case 'restart':
        return this.#restart()
      case 'skip':
        return this.#seek(this.#position + command.by)
      case 'seek':
        return this.#seek(command.to)
    }
  }

  /** Sets the speed, also for what is loaded later. */
  setSpeed(speed: number) {
    this.#audio.defaultPlaybackRate = speed
    this.#audio.playbackRate = speed
  }

  /** Stops for good; the position is kept. */
  close() {
    this.#saveIfMoved()
    this.#closed.abort()
    this.#pause()
    this.#dispatch({ kind: 'paused' })
    exclusivePlayback.stop(this.#pause)
  }

  get #isMeasured() {
    return this.#audio.readyState >= HTMLMediaElement.HAVE_METADATA
  }

  get #total() {
    const { duration } = this.#audio
    return Number.isFinite(duration) ? duration : this.#episode.duration
  }

  get #position() {
    return this.#isMeasured ? this.#audio.currentTime : this.#wanted
  }

  #listen() {
    const reactions: Record<string, () => void> = {
      loadedmetadata: () => this.#measure(),
      durationchange: () => this.#dispatch({ kind: 'measured', total: this.#total }),
      timeupdate: () => this.#follow(),
      play: () => this.#start(),
      playing: () => this.#dispatch({ kind: 'sounding' }),
      waiting: () => this.#dispatch({ kind: 'starved' }),
      stalled: () => this.#stall(),
      pause: () => this.#stop(),
      ended: () => this.#end(),
      error: () => this.#fail(this.#audio.error),
    }
    const { signal } = this.#closed
    for (const [event, react] of Object.entries(reactions))
      this.#audio.addEventListener(event, react, { signal })
    window.addEventListener('pagehide', () => this.#saveIfMoved(), { signal })
  }

  #play() {
    // After an error only loading again helps; it starts where the listener was.
    if (this.#audio.error) {
      this.#wanted = this.#position
      this.#audio.load()
    }
    this.#audio.play().catch((cause: unknown) => {
      // Paused before it could begin, or a failure the error event tells as well.
      const isTold = this.#audio.error || (cause instanceof DOMException && cause.name === 'AbortError')
      if (!isTold) this.#fail(cause)
    })
  }

  // A field, because exclusive playback knows a player by this function.
  readonly #pause = () => this.#audio.pause()

  #restart() {
    this.#move(0)
    positions.clear(this.#episode.id)
  }

  #seek(seconds: number) {
    const end = this.#total || Number.POSITIVE_INFINITY
    this.#move(Math.min(Math.max(seconds, 0), end))
    this.#save()
  }

  #move(seconds: number) {
    if (this.#isMeasured) this.#audio.currentTime = seconds
    this.#wanted = seconds
    this.#saved = seconds
    this.#dispatch({ kind: 'moved', position: seconds })
  }

  #measure() {
    this.#dispatch({ kind: 'measured', total: this.#total })
    const position = startAt(this.#wanted, this.#total)
    if (position > 0) this.#audio.currentTime = position
    this.#saved = position
    this.#dispatch({ kind: 'moved', position })
  }

  #follow() {
    // Loading again reports a position of 0 that nobody asked for.
    if (!this.#isMeasured) return
    this.#dispatch({ kind: 'moved', position: this.#position })
    if (isWorthSaving(this.#position, this.#saved)) this.#save()
  }

  #start() {
    exclusivePlayback.start(this.#pause)
    this.#dispatch({ kind: 'asked' })
    this.#showOnLockScreen().catch((cause: unknown) => console.warn('No lock screen controls', cause))
  }

  // Loaded once somebody listens: most visitors of a page do not.
  async #showOnLockScreen() {
    const { showOnLockScreen } = await import('./media-session.ts')
    const { title, artwork } = this.#episode
    const run = (command: Command) => this.run(command)
    const closed = this.#closed.signal
    showOnLockScreen({ audio: this.#audio, title, artwork, skipStep, run, closed })
  }

  #stall() {
    // A stalled download is only heard when nothing is left to play.
    if (this.#audio.readyState < HTMLMediaElement.HAVE_FUTURE_DATA) this.#dispatch({ kind: 'starved' })
  }

  #stop() {
    exclusivePlayback.stop(this.#pause)
    if (this.#isMeasured && !this.#audio.ended) this.#save()
    this.#dispatch({ kind: 'paused' })
  }

  #end() {
    this.#restart()
    this.#dispatch({ kind: 'ended' })
  }

  #fail(cause: unknown) {
    // The same error is met twice when it came before this script and its event after.
    if (cause === this.#failure) return
    this.#failure = cause
    console.warn(`Podcast ${this.#episode.id} cannot be played`, cause)
    this.#pause()
    this.#dispatch({ kind: 'failed' })
  }

  #save() {
    this.#saved = this.#position
    positions.save(this.#episode.id, this.#saved)
  }

  #saveIfMoved() {
    if (this.#position !== this.#saved) this.#save()
  }
}

/** Only one podcast plays at a time, on this page and in every tab of this site (specification, section 4). */
interface ExclusivePlayback {
  /** Call when a podcast starts: whoever played before is paused. */
  start(pause: () => void): void
  /** Call with the same function when it has stopped. */
  stop(pause: () => void): void
}

type Channel = Pick<BroadcastChannel, 'onmessage' | 'postMessage' | 'close'>

/**
 * Lets one player play at a time.
 * @param openChannel gives the way to the other tabs, or nothing where there is none
 */
export function createExclusivePlayback(openChannel: () => Channel | undefined): ExclusivePlayback {
  let playing: (() => void) | undefined
  let channel: Channel | undefined

  function listenToOtherTabs() {
    const opened = openChannel()
    if (opened) opened.onmessage = () => playing?.()
    return opened
  }

  return {
    start(pause) {
      if (pause !== playing) playing?.()
      playing = pause
      channel ??= listenToOtherTabs()
      channel?.postMessage('playing')
    },
    stop(pause) {
      if (pause !== playing) return
      playing = undefined
      // An open channel would keep a silent page out of the browser's back/forward cache.
      channel?.close()
      channel = undefined
    },
  }
}

function openBroadcast() {
  try {
    return new BroadcastChannel('podcast-playing')
  } catch {
    return undefined
  }
}

const exclusivePlayback = createExclusivePlayback(openBroadcast)
