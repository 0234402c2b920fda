import { useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { announce } from '#app/ui/announcement.tsx'
import {
  changedFields,
  defaultFields,
  type FieldName,
  type ResourceFields,
} from '#domain/resource-form/fields.ts'
import { findProblems } from '#domain/resource-form/problems.ts'
import type { FormStart } from './find-editable.ts'
import { newId } from './new-id.ts'
import type { DraftSlot } from './stored-drafts.ts'
import { useDraft } from './use-draft.ts'
import { readableGrade, useFields } from './use-fields.ts'
import { type Basis, useSaving } from './use-saving.ts'

/**
 * Everything the form knows and does. What it was loaded as is looked at once: a session that is renewed has the page load
 * it again. @param slot where unsaved changes are kept
 */
export function useResourceForm(loaded: FormStart, slot: DraftSlot) {
  const [start] = useState(loaded)
  const navigate = useNavigate()
  const form = useFields(start.fields)
  const { fields } = form
  const [basis, setBasis] = useState<Basis>(start)
  const { isUploading, setUploading } = useUploads()
  const isLeaving = useRef(false)
  const isNew = basis.updatedAt === null
  // A new form begins anew with each category.
  const began = basis.fields && isNew ? defaultFields(fields.category, start.fields.date) : basis.fields
  const isDirty = !began || changedFields(fields, began).length > 0

  const draft = useDraft({
    ...slot,
    id: basis.id,
    basedOn: basis.updatedAt,
    fields,
    isDirty,
  })
  const saving = useSaving(async ({ title }) => {
    draft.forget()
    isLeaving.current = true
    await navigate('/resources')
    announce(`“${title.trim()}” is saved.`)
  })

  const saveAs = (next: Basis, nextFields: ResourceFields) => {
    setBasis(next)
    form.set(nextFields)
    return saving.save(next, nextFields)
  }
  /** Returns false when something has to be put right before. */
  const submit = (): boolean => {
    form.visitAll()
    const ready = { ...fields, grade: readableGrade(fields.grade) }
    if (Object.keys(findProblems(ready)).length > 0) return false
    if (isUploading) saving.setTrouble({ state: 'failed', message: STILL_UPLOADING })
    else saveAs(basis, ready)
    return true
  }
  const restore = () => {
    const kept = draft.offer
    if (!kept) return
    const article = kept.withoutArticle ? start.fields.article : kept.fields.article
    // What the draft began with is known only if nobody has saved since.
    const isCurrent = kept.basedOn === start.updatedAt
    setBasis({ id: kept.id, updatedAt: kept.basedOn, fields: isCurrent ? start.fields : null })
    form.replace({ ...kept.fields, article })
    draft.closeOffer()
  }
  return {
    ...form,
    ...saving,
    basis,
    isUndecodable: start.isUndecodable,
    isNew,
    isDirty,
    submit,
    saveAs,
    setUploading,
    offer: draft.offer,
    restore,
    discard() {
      draft.forget()
      draft.closeOffer()
    },
    /** For a resource that is not there any more. */
    saveAsNew: () => saveAs({ id: newId(), updatedAt: null, fields: null }, fields),
    /** Goes on with what was settled, without saving yet. */
    keepEditing(next: Basis, settled: ResourceFields) {
      setBasis(next)
      form.set(settled)
      saving.setTrouble(null)
    },
    isGuarded: () => (isDirty || isUploading) && !isLeaving.current,
  }
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

export type ResourceFormApi = ReturnType<typeof useResourceForm>

const STILL_UPLOADING = 'An upload is still under way. Wait until it has finished, or cancel it.'
