import { type RefObject, useEffect, useRef, useState } from 'react'
import type { Draft } from '#domain/resource-form/draft.ts'
import { changedFields, type ResourceFields } from '#domain/resource-form/fields.ts'
import { type DraftSlot, dropDraft, findDraft, keepDraft } from './stored-drafts.ts'

const KEEP_AFTER_MS = 400

interface DraftSource extends DraftSlot {
  id: string
  basedOn: string | null
  fields: ResourceFields
  /** Whether there is anything to keep. */
  isDirty: boolean
}

/** Keeps unsaved changes in this browser while they are made, and offers those of an earlier visit. */
export function useDraft(source: DraftSource) {
  const { member, what, id, basedOn, fields, isDirty } = source
  const [offer, setOffer] = useState<Draft | null>(() => worthOffering(source))
  /** What is still to be written: each change once, so that a draft which a log-out dropped does not come back. */
  const pending = useRef<() => void>(undefined)
  const wasDirty = useRef(false)
  const isKept = useRef(true)

  useEffect(() => {
    if (wasDirty.current && !isDirty) dropDraft({ member, what })
    wasDirty.current = isDirty
    pending.current = isDirty
      ? () => {
          isKept.current = keepDraft({ member, what }, { id, basedOn, fields, savedAt: Date.now() })
        }
      : undefined
    const timer = setTimeout(() => writeOnce(pending), KEEP_AFTER_MS)
    return () => clearTimeout(timer)
  }, [member, what, id, basedOn, fields, isDirty])

  // Whoever leaves within the pause loses nothing.
  useEffect(() => {
    const writeNow = () => writeOnce(pending)
    window.addEventListener('pagehide', writeNow)
    return () => {
      window.removeEventListener('pagehide', writeNow)
      writeNow()
    }
  }, [])

  return {
    offer,
    /** Whether this browser has room for what was typed. */
    isKept: () => isKept.current,
    /** The offer was taken, or is not wanted. */
    closeOffer: () => setOffer(null),
    /** They are saved, or not wanted. */
    forget: () => {
      pending.current = undefined
      dropDraft({ member, what })
    },
  }
}

function writeOnce(pending: RefObject<(() => void) | undefined>): void {
  pending.current?.()
  pending.current = undefined
}

/** The draft of an earlier visit, unless it says the same as the form. */
function worthOffering({ member, what, fields }: DraftSource): Draft | null {
  const draft = findDraft({ member, what })
  if (!draft || changedFields(draft.fields, fields).length > 0) return draft
  dropDraft({ member, what })
  return null
}
