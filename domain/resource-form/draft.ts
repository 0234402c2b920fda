import * as z from 'zod/mini'
import { changedFields, type FieldName, fieldsShape, type ResourceFields } from './fields.ts'

/** Unsaved changes as a browser keeps them. */
const draftShape = z.object({
  /** Its own name: two tabs can have two drafts of one resource. */
  key: z.string(),
  /** The account that typed it. */
  member: z.string(),
  /** The resource; for one that is not saved yet the id it will have, so that saving twice cannot make two. */
  id: z.string(),
  /** Milliseconds since 1970. */
  savedAt: z.number(),
  /** `updated_at` of the row that was edited; null for a new one. */
  basedOn: z.nullable(z.string()),
  fields: fieldsShape,
  /** What the row said then; null for a new one, or where that cannot be read. */
  base: z.catch(z.nullable(fieldsShape), null),
})

export type Draft = z.infer<typeof draftShape>

/** Longer than that nobody remembers what it was. */
const keptForMs = 30 * 24 * 60 * 60 * 1000

/** Reads what was stored; null when it is none of ours, or too old. Nothing in it is trusted. @param now milliseconds */
export function readDraft(stored: unknown, now: number): Draft | null {
  const { data } = draftShape.safeParse(stored)
  return data && Math.abs(now - data.savedAt) <= keptForMs ? data : null
}

/** Whose version of a field is to stay. */
export type Side = 'mine' | 'theirs'
export type Choices = Partial<Record<FieldName, Side>>

/** Two versions of a resource, and what both of them began with; null when that is not known. */
export interface Versions {
  base: ResourceFields | null
  mine: ResourceFields
  theirs: ResourceFields
}

/** A merge of three: what can be joined without asking, and what cannot. */
interface Merge {
  /** Mine, with what only they changed; where both changed a field it is mine, for as long as nobody has chosen. */
  fields: ResourceFields
  /** Both changed these, and not to the same. */
  conflicts: FieldName[]
  /** Only they changed these. */
  taken: FieldName[]
}

/** Saving sets the date, and the category never changes: neither is worth a question. */
const unasked: readonly FieldName[] = ['date', 'category']

/** Joins two versions of a resource field by field. Without a base, all that differs is a conflict. */
export function mergeFields({ base, mine, theirs }: Versions): Merge {
  const differing = changedFields(mine, theirs).filter((name) => !unasked.includes(name))
  const taken = differing.filter((name) => base && mine[name] === base[name])
  const conflicts = differing.filter((name) => !taken.includes(name) && theirs[name] !== base?.[name])
  return { fields: settle({ mine, theirs }, proposedChoices(taken)), conflicts, taken }
}

/** What stands chosen before anybody chooses: theirs where only they changed something, and nothing where both did. */
export const proposedChoices = (taken: readonly FieldName[]): Choices =>
  Object.fromEntries(taken.map((name) => [name, 'theirs']))

/** The form after the choice: mine, with the fields that are to be theirs. */
export function settle(
  { mine, theirs }: Pick<Versions, 'mine' | 'theirs'>,
  choices: Choices,
): ResourceFields {
  const chosen = Object.entries(theirs).filter(([name]) => choices[name as FieldName] === 'theirs')
  return { ...mine, ...Object.fromEntries(chosen) }
}

/** What a file can bring to the form. */
interface Found {
  html: string
  title?: string
  description?: string
  /** For a link field that is empty. */
  link: string
}

/** What an uploaded file would change: what fills empty fields, and what would take the place of something typed. */
export interface ImportedFields {
  fills: Partial<ResourceFields>
  replaces: Partial<Pick<ResourceFields, ReplaceableName>>
}

export const replaceableNames = ['title', 'description', 'article', 'duration'] as const
export type ReplaceableName = (typeof replaceableNames)[number]

/**
 * Sorts what a file brings (specification, section 5): the article, its title and description, and the link while that is
 * empty. A typed duration gives way to the estimate only when somebody says so.
 */
export function importedFields(found: Found, fields: ResourceFields): ImportedFields {
  const brought: Partial<Record<FieldName, string>> = {
    ...(found.title && { title: found.title }),
    ...(found.description && { description: found.description }),
    article: found.html,
    duration: '',
    ...(!fields.link.trim() && { link: found.link }),
  }
  const isEmpty = (name: FieldName) => String(fields[name]).trim() === ''
  const entries = Object.entries(brought) as [FieldName, string][]
  const changed = entries.filter(([name, value]) => fields[name] !== value)
  return {
    fills: Object.fromEntries(changed.filter(([name]) => isEmpty(name))),
    replaces: Object.fromEntries(changed.filter(([name]) => !isEmpty(name))),
  }
}
