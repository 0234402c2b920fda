import { useEffect, useMemo, useState } from 'react'
import { v4 as newId } from 'uuid'
import {
  dropDraft,
  isDraftOpen,
  markDraftOpen,
  putDraft,
  putLastWords,
} from '#app/session/client/draft-store.ts'
import { toast } from '#app/ui/toast.tsx'
import type { Category } from '#domain/resource.ts'
import { type Draft, mergeFields } from '#domain/resource-form/draft.ts'
import {
  defaultFields,
  type FieldName,
  fieldLabels,
  type ResourceFields,
} from '#domain/resource-form/fields.ts'
import { type Basis, type FormStart, findOffers, type Trouble } from './stored-resource.ts'

/** What a form is opened with, beside the row. */
export interface FormOpening {
  /** The admin who opened it. */
  member: string
  /** What they typed here before and never saved, to go on with. */
  drafts: readonly Draft[]
  /** The draft that they have chosen already: the form begins with it. */
  continued?: Draft | undefined
}

interface DraftSource {
  opening: FormOpening
  start: FormStart
  basis: Basis
  fields: ResourceFields
  /** Whether there is anything to keep. */
  isDirty: boolean
}

/** Keeps unsaved changes in this browser while they are made, and knows those of other visits and tabs. */
export function useDraft({ opening, start, basis, fields, isDirty }: DraftSource) {
  const { member } = opening
  const [key, setKey] = useState(() => opening.continued?.key ?? newId())
  const [offers, setOffers] = useState(opening.drafts)
  const [setAside, putAside] = useState<Draft | null>(null)
  const [isKept, setKept] = useState(true)
  const [keeper] = useState(() => createDraftKeeper(setKept))
  const { id, updatedAt: basedOn, fields: base } = basis
  const asDraft = (): Draft => ({
    key,
    member,
    id,
    savedAt: Date.now(),
    basedOn,
    fields,
    base: basedOn === null ? null : base,
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: the parts of the draft, not the function that joins them
  useEffect(
    () => keeper.change(isDirty ? asDraft() : null),
    [keeper, key, member, id, basedOn, base, fields, isDirty],
  )
  useEffect(() => markDraftOpen(key), [key])
  useEffect(() => {
    // Phones end pages that are out of sight without a word.
    const events = ['visibilitychange', 'pagehide'] as const
    for (const event of events) window.addEventListener(event, keeper.flushNow, true)
    return () => {
      for (const event of events) window.removeEventListener(event, keeper.flushNow, true)
      void keeper.flush()
    }
  }, [keeper])

  return {
    key,
    setKey,
    keeper,
    isKept,
    asDraft,
    setAside,
    putAside,
    offers: useMemo(
      () => offers.filter((offer) => offer.key !== key && offer.key !== setAside?.key),
      [offers, key, setAside],
    ),
    refreshOffers: async () => setOffers(await findOffers(start, member)),
  }
}

interface DraftParts {
  start: FormStart
  isDirty: boolean
  form: { fields: ResourceFields; replace(next: ResourceFields): void }
  draft: ReturnType<typeof useDraft>
  setBasis(next: Basis): void
  setTrouble(trouble: Trouble | null): void
}

/** What can be done with drafts: to go on with one, to throw one away, and to begin one of another category. */
export function draftActions({ start, form, draft, setBasis, setTrouble, isDirty }: DraftParts) {
  const { keeper } = draft

  /** What was typed here stays a draft of its own. One that another tab works at is copied. */
  const continueDraft = async (chosen: Draft) => {
    await keeper.setAside()
    const isElsewhere = await isDraftOpen(chosen.key)
    draft.setKey(isElsewhere ? newId() : chosen.key)
    draft.putAside(null)
    setTrouble(null)
    if (chosen.basedOn === start.updatedAt) {
      setBasis({ id: chosen.id, updatedAt: start.updatedAt, fields: start.fields })
      form.replace(chosen.fields)
    } else joinWith(chosen)
    await draft.refreshOffers()
  }
  /** Somebody has saved since the draft was begun. */
  const joinWith = (chosen: Draft) => {
    const { updatedAt, fields: theirs } = start
    if (updatedAt === null) return form.replace(chosen.fields)
    const now = { id: start.id, updatedAt, fields: theirs }
    const merge = mergeFields({ base: chosen.base, mine: chosen.fields, theirs })
    if (merge.conflicts.length > 0) {
      setBasis({ id: chosen.id, updatedAt: chosen.basedOn, fields: chosen.base })
      form.replace(chosen.fields)
      setTrouble({ state: 'changed', now })
    } else {
      setBasis(now)
      form.replace(merge.fields)
      if (merge.taken.length > 0) toast(`Your changes are back.${alsoTheirs(merge.taken)}`)
    }
  }
  return {
    continueDraft,
    async discardDraft(unwanted: Draft) {
      await dropDraft(unwanted).catch((error) => console.warn('A draft could not be removed:', error))
      await draft.refreshOffers()
    },
    /**
     * Begins anew with the category's defaults; the id and the day stay (specification, section 4). What was typed becomes
     * a draft of a resource of its own, to be brought back now or later.
     */
    chooseCategory(category: Category) {
      const next = defaultFields(category, form.fields.date)
      if (!isDirty) return form.replace(next)
      const left = { ...draft.asDraft(), id: newId() }
      keeper.change(left)
      void keeper.setAside()
      form.replace(next)
      draft.setKey(newId())
      draft.putAside(left)
    },
    bringBack: () => draft.setAside && continueDraft(draft.setAside),
  }
}

const lists = new Intl.ListFormat('en', { type: 'conjunction' })
export const alsoTheirs = (taken: readonly FieldName[]) =>
  taken.length > 0
    ? ` It has what somebody else changed meanwhile: ${lists.format(taken.map((name) => fieldLabels[name]))}.`
    : ''

/** Whoever types without a pause is saved this often. */
const WRITE_EVERY_MS = 300

/** Keeps what is typed into one form in this browser, while it is typed. */
interface DraftKeeper {
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
function createDraftKeeper(onKept: (isKept: boolean) => void): DraftKeeper {
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
