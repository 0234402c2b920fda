import { useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { announce } from '#app/ui/announcement.tsx'
import type { Draft } from '#domain/resource-form/draft.ts'
import type { ResourceFields } from '#domain/resource-form/fields.ts'
import { findProblems } from '#domain/resource-form/problems.ts'
import type { FormStart } from './find-editable.ts'
import { newId } from './new-id.ts'
import type { DraftSlot } from './stored-drafts.ts'
import { useBasis } from './use-basis.ts'
import { useDraft } from './use-draft.ts'
import { readableGrade, useFields } from './use-fields.ts'
import { type Basis, useSaving } from './use-saving.ts'
import { useUploads } from './use-uploads.ts'

/**
 * Everything the form knows and does. What it was loaded as is looked at once: a session that is renewed has the page load
 * it again. @param slot where unsaved changes are kept
 */
export function useResourceForm(loaded: FormStart, slot: DraftSlot) {
  const [start] = useState(loaded)
  const form = useFields(start.fields)
  const { fields } = form
  const uploads = useUploads()
  const { basis, setBasis, isNew, isDirty } = useBasis(start, fields)
  const draft = useDraft({ ...slot, id: basis.id, basedOn: basis.updatedAt, fields, isDirty })
  const { isLeaving, showSaved } = useLeaving()
  const saving = useSaving(({ title }) => {
    draft.forget()
    return showSaved(title.trim())
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
    ...offerActions({ start, form, draft, setBasis }),
    basis,
    isNew,
    isDirty,
    isUndecodable: start.isUndecodable,
    offer: draft.offer,
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
    isKept: draft.isKept,
  }
}

export type ResourceFormApi = ReturnType<typeof useResourceForm>

const STILL_UPLOADING = 'An upload is still under way. Wait until it has finished, or cancel it.'

/** Where a saved resource is seen, and that nothing asks on the way there. */
function useLeaving() {
  const navigate = useNavigate()
  const isLeaving = useRef(false)
  const showSaved = async (title: string) => {
    isLeaving.current = true
    await navigate('/resources')
    announce(`“${title}” is saved.`)
  }
  return { isLeaving, showSaved }
}

interface OfferParts {
  start: FormStart
  form: Pick<ReturnType<typeof useFields>, 'replace'>
  draft: Pick<ReturnType<typeof useDraft>, 'closeOffer' | 'forget'>
  setBasis(next: Basis): void
}

/** What can be done with the draft of an earlier visit. */
const offerActions = ({ start, form, draft, setBasis }: OfferParts) => ({
  restore(kept: Draft) {
    const article = kept.withoutArticle ? start.fields.article : kept.fields.article
    // What the draft began with is known only if nobody has saved since.
    const isCurrent = kept.basedOn === start.updatedAt
    setBasis({ id: kept.id, updatedAt: kept.basedOn, fields: isCurrent ? start.fields : null })
    form.replace({ ...kept.fields, article })
    draft.closeOffer()
  },
  discard() {
    draft.forget()
    draft.closeOffer()
  },
})
