import { isCategory } from '#domain/category.ts'
import { isGender } from '#domain/gender.ts'
import { defaultFields, type ResourceFields } from './fields.ts'

/** Unsaved changes as a browser keeps them. */
export interface Draft {
  /** Its own name: two tabs can have two drafts of one resource. */
  key: string
  /** The account that typed it. */
  member: string
  /** The resource; for one that is not saved yet the id it will have, so that saving twice cannot make two. */
  id: string
  /** Milliseconds since 1970. */
  savedAt: number
  /** `updated_at` of the row that was edited; null for a new one. */
  basedOn: string | null
  fields: ResourceFields
  /** What the row said then; null for a new one. */
  base: ResourceFields | null
}

/** Longer than that nobody remembers what it was. */
const keptForMs = 30 * 24 * 60 * 60 * 1000

/** Reads what was stored; null when it is none of ours, or too old. Nothing in it is trusted. @param now milliseconds */
export function readDraft(stored: unknown, now: number): Draft | null {
  if (!isRecord(stored)) return null
  const { key, member, id, savedAt, basedOn } = stored
  if (!isText(key) || !isText(member) || !isText(id) || typeof savedAt !== 'number') return null
  if (Math.abs(now - savedAt) > keptForMs) return null
  const fields = readFields(stored.fields)
  if (!fields || !(basedOn === null || isText(basedOn))) return null
  return { key, member, id, savedAt, basedOn, fields, base: readFields(stored.base) }
}

type Loose = Record<string, unknown>
const isRecord = (value: unknown): value is Loose => typeof value === 'object' && value !== null
const isText = (value: unknown): value is string => typeof value === 'string'

/** Each field in its own type, or none at all. */
function readFields(stored: unknown): ResourceFields | null {
  if (!isRecord(stored) || !isCategory(stored.category)) return null
  const expected = defaultFields(stored.category, '')
  if (stored.gender !== '' && !isGender(stored.gender)) return null
  const fits = Object.entries(expected).every(([name, value]) => typeof stored[name] === typeof value)
  if (!fits) return null
  const known = Object.keys(expected).map((name) => [name, stored[name]])
  return Object.fromEntries(known) as ResourceFields
}
