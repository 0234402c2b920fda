import { changedFields, type FieldName, type ResourceFields } from './fields.ts'

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
export interface Merge {
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
