const prefix = 'resource-draft:'

/** The names under which this browser's local storage keeps what an admin has not saved yet. */
export const draftKeys = {
  /** @param what the id of a resource, or "new"; empty: what all names of this member begin with */
  of: (member: string, what: string) => `${prefix}${member}:${what}`,
}

/** Whoever logs out leaves nothing unpublished behind. An expired session is no log-out. */
export function dropDrafts(member: string): void {
  try {
    const own = Object.keys(localStorage).filter((key) => key.startsWith(draftKeys.of(member, '')))
    for (const key of own) localStorage.removeItem(key)
  } catch {
    // Where nothing may be stored there is nothing to leave behind.
  }
}
