import { draftKeys } from '#app/session/member/draft-keys.ts'
import { type Draft, readDraft, writeDraft } from '#domain/resource-form/draft.ts'

/** Whose draft of what: the id of a resource, or "new". */
export interface DraftSlot {
  member: string
  what: string
}

/** A browser's space is shared with everything else the site keeps. */
const MAX_DRAFTS = 20

/** The member's unsaved changes; null when there are none, or nothing may be stored here. */
export function findDraft({ member, what }: DraftSlot): Draft | null {
  try {
    return readDraft(localStorage.getItem(draftKeys.of(member, what)), Date.now())
  } catch {
    return null
  }
}

/** Keeps unsaved changes. Returns false where that is not possible: storage is full or forbidden. */
export function keepDraft({ member, what }: DraftSlot, draft: Parameters<typeof writeDraft>[0]): boolean {
  try {
    const key = draftKeys.of(member, what)
    localStorage.setItem(key, writeDraft(draft))
    dropOldest(member, key)
    return true
  } catch {
    return false
  }
}

/** Forgets them: they were saved, or discarded. */
export function dropDraft({ member, what }: DraftSlot): void {
  try {
    localStorage.removeItem(draftKeys.of(member, what))
  } catch {
    // Where nothing may be stored there is nothing to forget.
  }
}

function dropOldest(member: string, justKept: string): void {
  const others = Object.keys(localStorage).filter(
    (key) => key.startsWith(draftKeys.of(member, '')) && key !== justKept,
  )
  const age = (key: string) => readDraft(localStorage.getItem(key), Date.now())?.savedAt ?? 0
  const byAge = others.map((key) => ({ key, savedAt: age(key) })).sort((a, b) => b.savedAt - a.savedAt)
  for (const { key } of byAge.slice(MAX_DRAFTS - 1)) localStorage.removeItem(key)
}
