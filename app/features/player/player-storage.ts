import { createStore, type SafeStorage, type Store, safeSessionStorage, useStore } from '#app/ui/store.ts'
import { type Speed, speedFrom } from '#domain/preferences.ts'

/** Where somebody stopped listening (specification, section 3). */
interface PositionRecord {
  resourceId: string
  /** Seconds. */
  position: number
  /** Milliseconds since 1970. */
  timestamp: number
}

/** The positions of this browser session. */
interface Positions {
  read(resourceId: string): number | null
  save(resourceId: string, position: number): void
  clear(resourceId: string): void
}

/** At most this many are kept; the oldest go (section 9). */
export const positionLimit = 50
export const positionsKey = 'podcast-positions'

const isAmount = (value: unknown) => typeof value === 'number' && Number.isFinite(value) && value >= 0

function isRecord(value: unknown): value is PositionRecord {
  const { resourceId, position, timestamp }: Partial<Record<keyof PositionRecord, unknown>> = Object(value)
  return typeof resourceId === 'string' && isAmount(position) && isAmount(timestamp)
}

// Anything in the page can write to the storage, so what comes back is taken record by record.
function parse(text: string | null): PositionRecord[] {
  try {
    const stored: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(stored) ? stored.filter(isRecord) : []
  } catch {
    return []
  }
}

const newestFirst = (a: PositionRecord, b: PositionRecord) => b.timestamp - a.timestamp

/**
 * Keeps positions in a store.
 * @param store where they are kept
 * @param now the clock, in milliseconds
 */
export function createPositions(store: SafeStorage, now: () => number): Positions {
  const read = () => parse(store.get(positionsKey))
  const write = (records: PositionRecord[]) =>
    store.set(positionsKey, JSON.stringify(records.sort(newestFirst).slice(0, positionLimit)))
  const others = (resourceId: string) => read().filter((record) => record.resourceId !== resourceId)
  return {
    read: (resourceId) => read().find((record) => record.resourceId === resourceId)?.position ?? null,
    save: (resourceId, position) =>
      write([{ resourceId, position, timestamp: now() }, ...others(resourceId)]),
    clear: (resourceId) => write(others(resourceId)),
  }
}

export const positions = createPositions(safeSessionStorage, Date.now)

export const speedKey = 'podcast-speed'

/** The speed that all players share; kept in the browser session, validated on read (specification, section 5). */
export function createSpeed(storage: SafeStorage): Store<Speed> {
  const speed = createStore<Speed>(1, () => speedFrom(storage.get(speedKey)))
  speed.subscribe(() => storage.set(speedKey, String(speed.get())))
  return speed
}

const speed = createSpeed(safeSessionStorage)

/** Sets the speed of all players. */
export const chooseSpeed = speed.set

/** The chosen speed; 1 while the server's HTML is being taken over. */
export const useSpeed = () => useStore(speed)
