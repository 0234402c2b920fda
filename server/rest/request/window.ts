import { restErrors } from '../errors.ts'
import type { Window } from './types.ts'

interface Wishes {
  limit?: number | undefined
  offset?: number | undefined
  /** The Range header: rows from-to, both included. */
  range?: string | undefined
}

/** Reads `limit` and `offset`. What is no number says nothing, as in PostgREST. */
export const parseCount = (text: string): number | undefined =>
  /^\s*-?\d+\s*$/.test(text) ? Number(text) : undefined

/**
 * The rows that are wanted: those that the parameters and the header both name. A negative offset is none.
 * Errors: PGRST103 for a negative limit, for a range that ends before it begins, and for ranges that never meet.
 */
export function resolveWindow({ limit, offset = 0, range = '' }: Wishes): Window {
  if (limit !== undefined && limit < 0) throw restErrors.negativeLimit()
  const from = Math.max(offset, 0)
  const header = /^(?:items=)?(\d+)-(\d*)$/.exec(range.trim())
  if (limit === 0 || !header) return { offset: from, ...(limit !== undefined && { limit }) }

  const first = Number(header[1])
  const last = header[2] ? Number(header[2]) : Number.POSITIVE_INFINITY
  const start = Math.max(from, first)
  const end = Math.min(last, limit === undefined ? Number.POSITIVE_INFINITY : from + limit - 1)
  if (end < start) throw restErrors.rangeUpsideDown()
  return { offset: start, ...(end !== Number.POSITIVE_INFINITY && { limit: end - start + 1 }) }
}
