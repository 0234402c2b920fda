import { useSyncExternalStore } from 'react'

/** One value outside of the components, which several of them read. */
export interface Store<Value> {
  /** What the server's page shows, and so does the browser while it takes the page over. */
  readonly initial: Value
  get(): Value
  set(next: Value): void
  /** Tells of every change. Returns how to stop. */
  subscribe(listener: () => void): () => void
}

/**
 * A value that lives as long as the page.
 * @param load gives it when it is first asked for, where the browser knows more than the server
 */
export function createStore<Value>(initial: Value, load = () => initial): Store<Value> {
  const listeners = new Set<() => void>()
  let current: { value: Value } | undefined
  return {
    initial,
    get() {
      current ??= { value: load() }
      return current.value
    },
    set(value) {
      current = { value }
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The value of a store, as it changes. */
export const useStore = <Value>({ subscribe, get, initial }: Store<Value>): Value =>
  useSyncExternalStore(subscribe, get, () => initial)

const hydrated = createStore(false, () => true)

/** Whether the page's script has taken over: until then, and without JavaScript, what needs it cannot work. */
export const useHydrated = () => useStore(hydrated)

/** Text that the browser keeps. Reading never throws, and neither does writing. */
export interface SafeStorage {
  get(key: string): string | null
  /** Returns whether it is kept now. */
  set(key: string, text: string): boolean
  remove(key: string): void
}

/**
 * A browser's storage, of which a full, blocked or missing one only means that nothing is remembered.
 * @param open gives it; may throw, as `window.localStorage` itself does where cookies are blocked
 */
export function safeStorage(open: () => Storage): SafeStorage {
  return {
    get(key) {
      try {
        return open().getItem(key)
      } catch {
        return null
      }
    },
    set(key, text) {
      try {
        open().setItem(key, text)
        return true
      } catch {
        return false
      }
    },
    remove(key) {
      try {
        open().removeItem(key)
      } catch {
        // What cannot be reached is not read either.
      }
    },
  }
}

/** Kept for the next visits, and shared with the other tabs. */
export const safeLocalStorage = safeStorage(() => localStorage)

/** Kept for as long as the tab lives. */
export const safeSessionStorage = safeStorage(() => sessionStorage)
