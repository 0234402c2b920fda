import { changedFields, type FieldName, type ResourceFields } from './fields.ts'

/** Whose version of a field is to stay. */
export type Side = 'mine' | 'theirs'
export type Choices = Partial<Record<FieldName, Side>>

/** Saving sets the date, and the category never changes: neither is worth a question. */
const unasked: readonly FieldName[] = ['date', 'category']

/** The fields about which two admins do not agree. */
export const disputed = (mine: ResourceFields, theirs: ResourceFields): FieldName[] =>
  changedFields(mine, theirs).filter((name) => !unasked.includes(name))

/**
 * What each disputed field should be unless the admin says otherwise: what only the other admin changed is theirs.
 * @param before how the form was loaded; null when that is not known any more, and then all that differs is mine
 */
export function proposedChoices(
  mine: ResourceFields,
  theirs: ResourceFields,
  before: ResourceFields | null,
): Choices {
  const side = (name: FieldName): Side => (before && mine[name] === before[name] ? 'theirs' : 'mine')
  return Object.fromEntries(disputed(mine, theirs).map((name) => [name, side(name)]))
}

/** The form after the choice: mine, with the fields that are to be theirs. */
export function settle(mine: ResourceFields, theirs: ResourceFields, choices: Choices): ResourceFields {
  const taken = Object.entries(theirs).filter(([name]) => choices[name as FieldName] === 'theirs')
  return { ...mine, ...Object.fromEntries(taken) }
}
