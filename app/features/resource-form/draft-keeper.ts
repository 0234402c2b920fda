import { dropDraft, putDraft, putLastWords } from '#app/session/client/draft-store.ts'
import type { Draft } from '#domain/resource-form/draft.ts'

/** Whoever types without a pause is saved this often. */
const WRITE_EVERY_MS = 300

/** Keeps what is typed into one form in this browser, while it is typed. */
export interface DraftKeeper {
  /** Something was changed; or it is as it was, so that there is nothing to keep. */
  change(draft: Draft | null): void
  /** Writes at once. Resolves when it is known whether everything is kept: true when it is. */
  flush(): Promise<boolean>
  /** The page may be gone in a moment. */
  flushNow(): void
  /** It was saved, or is not wanted: what was kept goes. */
  forget(): Promise<void>
  /** Writes at once, and leaves what was kept where it is: the form goes on with something else. True when it is kept. */
  setAside(): Promise<boolean>
}

type Bodies = { key: string; mine: string | null; base: string | undefined }
const noBodies: Bodies = { key: '', mine: null, base: undefined }

/** @param onKept whether the last change could be kept, each time that is known */
export function createDraftKeeper(onKept: (isKept: boolean) => void): DraftKeeper {
  let newest: Draft | null = null
  /** What the database holds, as far as this form has written it. */
  let stored: Draft | null = null
  let bodies = noBodies
  let timer: ReturnType<typeof setTimeout> | undefined
  let writing: Promise<boolean> = Promise.resolve(true)

  const changedBodies = ({ key, fields, base }: Draft) => ({
    mine: bodies.key !== key || bodies.mine !== fields.article,
    base: bodies.key !== key || bodies.base !== base?.article,
  })
  const write = async (draft: Draft): Promise<boolean> => {
    if (draft === stored) return true
    try {
      await putDraft(draft, changedBodies(draft))
      stored = draft
      bodies = { key: draft.key, mine: draft.fields.article, base: draft.base?.article }
      return true
    } catch (error) {
      console.warn('Unsaved changes could not be kept:', error)
      return false
    }
  }
  const stopTimer = () => {
    clearTimeout(timer)
    timer = undefined
  }
  /** One after the other, so that each knows what the one before has stored. @param pick what there is when its turn comes */
  const writeNext = (pick: () => Draft | null) => {
    stopTimer()
    writing = writing.then(async () => {
      const draft = pick()
      if (!draft) return true
      const isKept = await write(draft)
      onKept(isKept)
      return isKept
    })
    return writing
  }
  const flush = () => writeNext(() => newest)
  const takeNewest = () => {
    const draft = newest
    newest = null
    return draft
  }
  const forget = () => {
    stopTimer()
    const gone = takeNewest()
    const dropped = writing.then(async () => {
      if (gone) await dropDraft(gone).catch((error) => console.warn('A draft could not be removed:', error))
      bodies = noBodies
    })
    writing = dropped.then(() => true)
    return dropped
  }
  return {
    change(draft) {
      if (!draft) {
        if (newest) void forget()
        return
      }
      newest = draft
      timer ??= setTimeout(flush, WRITE_EVERY_MS)
    },
    flush,
    setAside() {
      const left = takeNewest()
      return writeNext(() => left)
    },
    flushNow() {
      if (!newest || newest === stored) return
      putLastWords(newest, changedBodies(newest))
      void flush()
    },
    forget,
  }
}
