import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { href, useFetcher, useNavigate } from 'react-router'
import { v4 as newId } from 'uuid'
import { toast } from '#app/ui/toast.tsx'
import { parseGrade } from '#domain/grade.ts'
import {
  changedFields,
  defaultFields,
  type FieldName,
  findProblems,
  type Problems,
  type ResourceFields,
} from '#domain/resource-form/fields.ts'
import type { Basis, FormStart, Saved, SaveInput, Trouble } from './stored-resource.ts'
import { alsoTheirs, draftActions, type FormOpening, useDraft } from './use-drafts.ts'

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
  const saving = useSaving(async (saved) => {
    await draft.keeper.forget()
    return showSaved(saved)
  })
  const goOnWith = (next: Basis, settled: ResourceFields) => {
    setBasis(next)
    form.set(settled)
    saving.setTrouble(null)
  }
  const saveAs = (next: Basis, settled: ResourceFields) => {
    goOnWith(next, settled)
    saving.save({ basis: next, fields: settled, draft: { key: draft.key, member: opening.member } })
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

/** Sends the form to its route's action, and holds what came of it. @param onSaved goes on to where the saved resource is seen */
function useSaving(onSaved: (saved: Saved) => Promise<void>) {
  const { submit, data } = useFetcher<Saved | Trouble>()
  const [isSaving, setSaving] = useState(false)
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  /** Pressing twice saves once, however quickly it is done. */
  const isBusy = useRef(false)

  const settle = useEffectEvent(async (outcome: Saved | Trouble) => {
    if (outcome.state === 'saved') await onSaved(outcome)
    else setTrouble(outcome)
    setSaving(false)
    isBusy.current = false
  })
  useEffect(() => {
    if (data) void settle(data)
  }, [data])

  const save = (input: SaveInput) => {
    if (isBusy.current) return
    isBusy.current = true
    setSaving(true)
    setTrouble(null)
    const asJson = { method: 'post', encType: 'application/json', defaultShouldRevalidate: false } as const
    void submit(input, asJson)
  }
  return { isSaving, trouble, setTrouble, save }
}

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
  const showSaved = async ({ title, taken }: Saved) => {
    isLeaving.current = true
    await navigate(href('/resources/:category?'))
    toast(`“${title}” is saved.${alsoTheirs(taken)}`)
  }
  return { isLeaving, showSaved }
}

type Change = Partial<ResourceFields>

/** What a field needs to know of the form. */
export interface FieldsApi {
  fields: ResourceFields
  set(change: Change | ((now: ResourceFields) => Change)): void
  /** The admin went on to another field. */
  leave(name: FieldName): void
  /** What is wrong with the fields that the admin has been to. */
  problems: Problems
}

/** The state of the fields, and which of them the admin has been to. */
function useFields(start: ResourceFields) {
  const [fields, setFields] = useState(start)
  const [visited, setVisited] = useState<ReadonlySet<FieldName>>(new Set())
  const [generation, setGeneration] = useState(0)

  const set: FieldsApi['set'] = (change) =>
    setFields((before) => ({ ...before, ...(typeof change === 'function' ? change(before) : change) }))
  return {
    fields,
    set,
    leave(name: FieldName) {
      if (name === 'grade') set({ grade: readableGrade(fields.grade) })
      afterPress(() => setVisited((before) => new Set(before).add(name)))
    },
    problems: shownProblems(fields, visited),
    /** Another form takes the place of this one. */
    replace(next: ResourceFields) {
      setFields(next)
      setVisited(new Set())
      setGeneration((before) => before + 1)
    },
    visitAll: () => setVisited(new Set(Object.keys(fields) as FieldName[])),
    /** Changes with each form that takes the place of another, so that fields do not take that for typing. */
    generation,
  }
}

/** A grade is checked with every letter (section 5), the others once the admin has been there. */
function shownProblems(fields: ResourceFields, visited: ReadonlySet<FieldName>): Problems {
  const isShown = (name: string) => name === 'grade' || visited.has(name as FieldName)
  return Object.fromEntries(Object.entries(findProblems(fields)).filter(([name]) => isShown(name)))
}

/** As it will be saved: empty becomes K-12 (section 5). What cannot be read stays as it was typed. */
function readableGrade(typed: string): string {
  const parsed = parseGrade(typed)
  return 'text' in parsed ? parsed.text : typed
}

let isDown = false

if (typeof window !== 'undefined') {
  const follow = (event: string, down: boolean) =>
    addEventListener(
      event,
      () => {
        isDown = down
      },
      { capture: true, passive: true },
    )
  follow('pointerdown', true)
  follow('pointerup', false)
  follow('pointercancel', false)
}

/**
 * Runs at once, or when the finger or mouse button that is down has been lifted and its click has arrived: what appears
 * while a button is pressed can move it away from under the pointer, and then it was never clicked.
 */
function afterPress(run: () => void): void {
  if (isDown) addEventListener('pointerup', () => setTimeout(run), { once: true })
  else run()
}
