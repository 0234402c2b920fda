import { useSyncExternalStore } from 'react'
import { type Speed, speedFrom } from '#domain/preferences.ts'
import { type SessionStore, sessionStore } from './session-store.ts'

export const speedKey = 'podcast-speed'

/** The speed all players share; kept in the browser session, validated on read (specification, section 5). */
export function createSpeedPreference(store: SessionStore) {
  const listeners = new Set<() => void>()
  // Remembered here as well, so that the menu works where the storage does not.
  let chosen: Speed | undefined
  return {
    read(): Speed {
      chosen ??= speedFrom(store.read(speedKey))
      return chosen
    },
    choose(speed: Speed) {
      chosen = speed
      store.write(speedKey, String(speed))
      for (const listener of listeners) listener()
    },
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}

export const speedPreference = createSpeedPreference(sessionStore)

/** The chosen speed; 1 while the server's HTML is being taken over. */
export const useSpeed = () =>
  useSyncExternalStore<Speed>(speedPreference.subscribe, speedPreference.read, () => 1)
