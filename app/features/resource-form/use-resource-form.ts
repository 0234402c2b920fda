import { useEffect, useMemo, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { dropDraft, isDraftOpen, markDraftOpen } from '#app/session/client/draft-store.ts'
import { toast } from '#app/ui/toast.tsx'
import type { Category } from '#domain/category.ts'
import type { Draft } from '#domain/resource-form/draft.ts'
import {
  changedFields,
  defaultFields,
  type FieldName,
  fieldLabels,
  type ResourceFields,
} from '#domain/resource-form/fields.ts'
import { mergeFields } from '#domain/resource-form/merge.ts'
import { findProblems } from '#domain/resource-form/problems.ts'
import { createDraftKeeper } from './draft-keeper.ts'
import { type FormStart, findOffers, newId } from './find-editable.ts'
import { readableGrade, useFields } from './use-fields.ts'
import { type Basis, type Trouble, useSaving } from './use-saving.ts'

/** What a form is opened with, beside the row. */
export interface FormOpening {
  /** The admin who opened it. */
  member: string
  /** What they typed here before and never saved, to go on with. */
  drafts: readonly Draft[]
  /** The draft that they have chosen already: the form begins with it. */
  continued?: Draft | undefined
}

/**
 * Everything the form knows and does. What it was loaded as is looked at once: a session that is renewed has the page load
 * it again.
 */
export function useResourceForm(loaded: FormStart, opening: FormOpening) {
  const [start] = useState(loaded)
  const form = useFields(opening.continued?.fields ?? start.fields)
  const { fields } = form
  const [basis, setBasis] = useState<Basis>(start)
  const isNew = basis.updatedAt === null
  // A new form begins anew with each category.
  const began = basis.fields && isNew ? defaultFields(fields.category, start.fields.date) : basis.fields
  const isDirty = !began || changedFields(fields, began).length > 0
  const uploads = useUploads()
  const draft = useDraft({ opening, start, basis, fields, isDirty })
  const { isLeaving, showSaved } = useLeaving()
  const saving = useSaving(async ({ title }, taken) => {
    await draft.keeper.forget()
    return showSaved(title.trim(), taken)
  })
  const goOnWith = (next: Basis, settled: ResourceFields) => {
    setBasis(next)
    form.set(settled)
    saving.setTrouble(null)
  }
  const saveAs = (next: Basis, settled: ResourceFields) => {
    goOnWith(next, settled)
    return saving.save(next, settled)
  }
  return {
    ...form,
    ...saving,
    ...uploads,
    ...draftActions({ start, form, draft, setBasis, setTrouble: saving.setTrouble, isDirty }),
    basis,
    isNew,
    isDirty,
    isUndecodable: start.isUndecodable,
    setAside: draft.setAside,
    /** Drafts of other visits and other tabs. */
    offers: draft.offers,
    /** Whether this browser keeps what was typed, as far as that is known. */
    isKept: draft.isKept,
    keepNow: draft.keeper.flush,
    forgetDraft: draft.keeper.forget,
    /** Goes on with what was settled, without saving yet. */
    goOnWith,
    saveAs,
    /** For a resource that is not there any more. */
    saveAsNew: () => saveAs({ id: newId(), updatedAt: null, fields: null }, fields),
    /** Returns false when something has to be put right before. */
    submit() {
      form.visitAll()
      const ready = { ...fields, grade: readableGrade(fields.grade) }
      if (Object.keys(findProblems(ready)).length > 0) return false
      if (uploads.isUploading) saving.setTrouble({ state: 'failed', message: STILL_UPLOADING })
      else saveAs(basis, ready)
      return true
    },
    isGuarded: () => (isDirty || uploads.isUploading) && !isLeaving.current,
  }
}

export type ResourceFormApi = ReturnType<typeof useResourceForm>

const STILL_UPLOADING = 'An upload is still under way. Wait until it has finished, or cancel it.'

/** Which fields have an upload under way. */
function useUploads() {
  const [busy, setBusy] = useState<readonly FieldName[]>([])
  const setUploading = (name: FieldName, isBusy: boolean) =>
    setBusy((before) => {
      if (before.includes(name) === isBusy) return before
      return isBusy ? [...before, name] : before.filter((other) => other !== name)
    })
  return { isUploading: busy.length > 0, setUploading }
}

/** Where a saved resource is seen, and that nothing asks on the way there. */
function useLeaving() {
  const navigate = useNavigate()
  const isLeaving = useRef(false)
  const showSaved = async (title: string, taken: readonly FieldName[]) => {
    isLeaving.current = true
    await navigate('/resources')
    toast(`“${title}” is saved.${alsoTheirs(taken)}`)
  }
  return { isLeaving, showSaved }
}

const lists = new Intl.ListFormat('en', { type: 'conjunction' })
const alsoTheirs = (taken: readonly FieldName[]) =>
  taken.length > 0
    ? ` It has what somebody else changed meanwhile: ${lists.format(taken.map((name) => fieldLabels[name]))}.`
    : ''

interface DraftSource {
  opening: FormOpening
  start: FormStart
  basis: Basis
  fields: ResourceFields
  /** Whether there is anything to keep. */
  isDirty: boolean
}

/** Keeps unsaved changes in this browser while they are made, and knows those of other visits and tabs. */
function useDraft({ opening, start, basis, fields, isDirty }: DraftSource) {
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
  form: Pick<ReturnType<typeof useFields>, 'fields' | 'replace'>
  draft: ReturnType<typeof useDraft>
  setBasis(next: Basis): void
  setTrouble(trouble: Trouble | null): void
}

/** What can be done with drafts: to go on with one, to throw one away, and to begin one of another category. */
function draftActions({ start, form, draft, setBasis, setTrouble, isDirty }: DraftParts) {
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
