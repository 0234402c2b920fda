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
export type Happening =
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
export function reduce(playback: Playback, happening: Happening): Playback {
  switch (happening.kind) {
    case 'measured':
      return { ...playback, total: happening.total }
    case 'moved':
      return { ...playback, position: happening.position }
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
