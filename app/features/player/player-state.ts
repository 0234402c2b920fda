/** What a player shows. */
export interface Playback {
  /** `loading`: asked to play, but waiting for sound. */
  phase: 'paused' | 'loading' | 'playing'
  /** Seconds. */
  position: number
  /** Seconds; 0 while unknown. */
  total: number
  failed: boolean
}

/** What can happen to a recording. */
export type PlayerEvent =
  | { kind: 'measured'; total: number }
  | { kind: 'moved'; position: number }
  | { kind: 'asked' }
  | { kind: 'sounding' }
  | { kind: 'starved' }
  | { kind: 'paused' }
  | { kind: 'ended' }
  | { kind: 'failed' }

/** The first state: paused at the start, as the server renders it. */
export const paused = (total: number): Playback => ({ phase: 'paused', position: 0, total, failed: false })

/** The state after something has happened (specification, section 4). */
export function reduce(playback: Playback, event: PlayerEvent): Playback {
  switch (event.kind) {
    case 'measured':
      return { ...playback, total: event.total }
    case 'moved':
      return { ...playback, position: event.position }
    case 'asked':
      return { ...playback, phase: 'loading', failed: false }
    case 'sounding':
      return { ...playback, phase: 'playing' }
    case 'starved':
      return playback.phase === 'playing' ? { ...playback, phase: 'loading' } : playback
    case 'paused':
      return { ...playback, phase: 'paused' }
    case 'ended':
      return { ...playback, phase: 'paused', position: 0 }
    case 'failed':
      return { ...playback, phase: 'paused', failed: true }
  }
}

/** Where to start: the wanted position only if it is above 0 and below the total length, else 0. */
export const startAt = (wanted: number, total: number) => (wanted > 0 && wanted < total ? wanted : 0)

/** Seconds a recording may move on before the position is saved again (section 9). */
const saveThreshold = 5

/** Whether the position has changed enough since it was last saved. */
export const isWorthSaving = (position: number, saved: number) => Math.abs(position - saved) >= saveThreshold

/** What a listener can ask a player for, by button, key or lock screen. Seconds. */
export type Command =
  | { kind: 'play' }
  | { kind: 'pause' }
  | { kind: 'toggle' }
  | { kind: 'restart' }
  | { kind: 'skip'; by: number }
  | { kind: 'seek'; to: number }

/** How far the skip buttons go (specification, section 9). */
export const skipStep = 15
const smallStep = 5

export const toggle: Command = { kind: 'toggle' }
export const restart: Command = { kind: 'restart' }
export const back: Command = { kind: 'skip', by: -skipStep }
export const forward: Command = { kind: 'skip', by: skipStep }

/** What has the focus inside a player. A menu keeps all its keys, a button keeps Space and Enter. */
export type Focused = 'bar' | 'button' | 'menu'

const everywhere = new Map<string, Command>([
  ['k', toggle],
  ['j', back],
  ['l', forward],
  ['arrowleft', { kind: 'skip', by: -smallStep }],
  ['arrowright', { kind: 'skip', by: smallStep }],
])

const onTheBar = new Map<string, Command>([
  [' ', toggle],
  ['arrowdown', { kind: 'skip', by: -smallStep }],
  ['arrowup', { kind: 'skip', by: smallStep }],
  ['pagedown', back],
  ['pageup', forward],
  ['home', { kind: 'seek', to: 0 }],
  ['end', { kind: 'seek', to: Number.POSITIVE_INFINITY }],
])

/** The command a key stands for, or undefined when the key belongs to the page or the browser. */
export function commandForKey(key: string, focused: Focused): Command | undefined {
  if (focused === 'menu') return undefined
  const name = key.toLowerCase()
  return everywhere.get(name) ?? (focused === 'bar' ? onTheBar.get(name) : undefined)
}
