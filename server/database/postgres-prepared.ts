import { LRUCache } from 'lru-cache'
import type pg from 'pg'

/** Statements that are watched for coming again; those that do are prepared. */
const WATCHED = 500
/** What one connection keeps prepared at most; one that is full is replaced by a new one. */
const MAX_PREPARED = 64
/** Longer texts are hardly asked for twice. */
const MAX_TEXT = 8_000

/** The names under which connections keep statements prepared. */
export interface PreparedNames {
  /** The name of a text that has been asked for before, and is now known to this connection; undefined for others. */
  nameFor(text: string, client: pg.PoolClient): string | undefined
  /** Whether the connection keeps as many as it may. */
  isFull(client: pg.PoolClient): boolean
  /** What was prepared could not be used (see `isPreparationLost`). */
  lost(error: unknown): void
}

export function createPreparedNames(): PreparedNames {
  const names = new LRUCache<string, string>({ max: WATCHED })
  const known = new WeakMap<pg.PoolClient, Set<string>>()
  let made = 0
  let isOff = false
  return {
    nameFor(text, client) {
      if (isOff || text.length > MAX_TEXT) return undefined
      const name = names.get(text)
      // The first time it goes without one. No number is given twice: a connection may remember an old one.
      if (name === undefined) return void names.set(text, `s${++made}`)
      const prepared = known.get(client) ?? new Set()
      known.set(client, prepared.add(name))
      return name
    },
    isFull: (client) => (known.get(client)?.size ?? 0) >= MAX_PREPARED,
    lost(error) {
      // A pooler between us and the server, which gives every transaction another connection, knows no names.
      if (!isChanged(error)) isOff = true
    },
  }
}

const codeOf = (error: unknown): unknown => error instanceof Error && 'code' in error && error.code

/** "cached plan must not change result type": a table was altered. */
const isChanged = (error: unknown): boolean =>
  codeOf(error) === '0A000' && error instanceof Error && error.message.includes('cached plan')

/** The server has not, or has no longer, what was prepared. The statement works when it is sent in full. */
export const isPreparationLost = (error: unknown): boolean =>
  isChanged(error) || codeOf(error) === '26000' || codeOf(error) === '42P05'
