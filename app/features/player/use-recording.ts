import { useEffect, useReducer, useRef, useState } from 'react'
import type { Command } from './commands.ts'
import { paused, reduce } from './player-state.ts'
import { type Episode, Recording } from './recording.ts'
import { useSpeed } from './speed-preference.ts'

/**
 * Plays an episode through an audio element.
 * @param episode what to play; only its first value counts, so another one needs a component with another key
 * @returns the ref for the element, what to show, and `obey` for the listener's commands
 */
export function useRecording(episode: Episode) {
  const element = useRef<HTMLAudioElement>(null)
  const recording = useRef<Recording>(null)
  const [first] = useState(episode)
  const [playback, tell] = useReducer(reduce, paused(first.duration))
  const speed = useSpeed()

  useEffect(() => {
    if (!element.current) return
    const opened = new Recording(element.current, first, tell)
    recording.current = opened
    return () => opened.close()
  }, [first])

  // After the effect above, so that it finds the recording.
  useEffect(() => recording.current?.setSpeed(speed), [speed])

  const obey = (command: Command) => recording.current?.obey(command)
  return { element, playback, obey }
}
