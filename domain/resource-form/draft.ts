import { isCategory } from '#domain/category.ts'
import { isGender } from '#domain/gender.ts'
import { defaultFields, type ResourceFields } from './fields.ts'

/** Unsaved changes as this browser keeps them. */
export interface Draft {
  /** The resource; for one that is not saved yet the id it will have, so that saving twice cannot make two. */
  id: string
  /** Milliseconds since 1970. */
  savedAt: number
  /** `updated_at` of the row that was edited; null for a new one. */
  basedOn: string | null
  fields: ResourceFields
  /** The body was too large to be kept. */
  withoutArticle: boolean
}

const version = 1
/** Browsers give a site about five million characters for everything. */
const maxArticle = 1_000_000
/** Longer than that nobody remembers what it was. */
const keptForMs = 30 * 24 * 60 * 60 * 1000

/** The text to store. */
export function writeDraft({ fields, ...rest }: Omit<Draft, 'withoutArticle'>): string {
  const withoutArticle = fields.article.length > maxArticle
  const kept = withoutArticle ? { ...fields, article: '' } : fields
  return JSON.stringify({ version, ...rest, withoutArticle, fields: kept })
}

/** Reads what was stored; null when it is none of ours, of another version, or too old. Nothing in it is trusted. */
export function readDraft(stored: string | null, now: number): Draft | null {
  const draft = parse(stored)
  if (draft?.version !== version || typeof draft.id !== 'string' || typeof draft.savedAt !== 'number')
    return null
  if (now - draft.savedAt > keptForMs || draft.savedAt > now + keptForMs) return null
  const fields = readFields(draft.fields)
  const basedOn = typeof draft.basedOn === 'string' ? draft.basedOn : null
  return (
    fields && {
      id: draft.id,
      savedAt: draft.savedAt,
      basedOn,
      fields,
      withoutArticle: draft.withoutArticle === true,
    }
  )
}

type Loose = Record<string, unknown>
const isRecord = (value: unknown): value is Loose => typeof value === 'object' && value !== null

function parse(stored: string | null): Loose | null {
  try {
    const value: unknown = JSON.parse(stored ?? 'null')
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

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
