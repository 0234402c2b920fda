/** The variables that are set. An empty value counts as unset, so that a line of an .env file can be left blank. */
export type Given = Readonly<Record<string, string>>

export const givenIn = (env: Readonly<Record<string, string | undefined>>): Given =>
  Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
    ),
  )

/** Settings that only make sense together: names each one that is missing beside the others. */
export function allOrNone(given: Given, names: readonly string[]): string[] {
  const present = names.filter((name) => name in given)
  if (present.length === 0) return []
  return names
    .filter((name) => !(name in given))
    .map((name) => `${name} is missing: it belongs to ${present.join(', ')}`)
}

/** Settings of which at most one makes sense. */
export function exclusive(given: Given, names: readonly string[], reason: string): string[] {
  const present = names.filter((name) => name in given)
  return present.length > 1 ? [`${present.join(' and ')} exclude each other: ${reason}`] : []
}
