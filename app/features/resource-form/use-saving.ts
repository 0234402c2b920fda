import { useState } from 'react'
import { localDate } from '#domain/local-date.ts'
import { disputed } from '#domain/resource-form/conflict.ts'
import { fieldsOf, type ResourceFields } from '#domain/resource-form/fields.ts'
import { type SaveOrder, type SaveOutcome, saveResource } from './save-resource.ts'

/** What saving goes by: the row as the form knows it. */
export interface Basis {
  id: string
  /** When the row was last changed; null: there is none yet. */
  updatedAt: string | null
  /** How it was loaded, or how the form began; null: that is not known any more. */
  fields: ResourceFields | null
}

/** A row that has just been read. */
export interface KnownBasis extends Basis {
  updatedAt: string
  fields: ResourceFields
}

/** How the last try ended, unless it went well. */
export type Trouble =
  | { state: 'failed'; message: string }
  | { state: 'signed-out' }
  | { state: 'deleted' }
  | { state: 'changed'; now: KnownBasis }

/** Saving, and what came of it. @param onSaved goes on to where the saved resource is seen */
export function useSaving(onSaved: (fields: ResourceFields) => Promise<void>) {
  const [isSaving, setSaving] = useState(false)
  const [trouble, setTrouble] = useState<Trouble | null>(null)

  const save = async (basis: Basis, fields: ResourceFields) => {
    setSaving(true)
    setTrouble(null)
    const found = troubleOf(await saveAgreed(orderFor(basis, fields)))
    setTrouble(found)
    if (!found) await onSaved(fields)
    setSaving(false)
  }
  return { isSaving, trouble, setTrouble, save }
}

const orderFor = ({ id, updatedAt, fields: loaded }: Basis, fields: ResourceFields): SaveOrder => ({
  id,
  fields,
  today: localDate(new Date()),
  edits: updatedAt === null ? null : { fields: loaded, updatedAt },
})

/** Where the other admin's version says the same there is nothing to ask, so it is saved over it. */
async function saveAgreed(order: SaveOrder): Promise<SaveOutcome> {
  const outcome = await saveResource(order)
  if (outcome.state !== 'changed') return outcome
  const theirs = fieldsOf(outcome.row)
  if (disputed(order.fields, theirs).length > 0) return outcome
  return saveResource({ ...order, edits: { fields: theirs, updatedAt: outcome.row.updated_at } })
}

function troubleOf(outcome: SaveOutcome): Trouble | null {
  if (outcome.state === 'saved') return null
  if (outcome.state !== 'changed') return outcome
  const { id, updated_at: updatedAt } = outcome.row
  return { state: 'changed', now: { id, updatedAt, fields: fieldsOf(outcome.row) } }
}
