import { useState } from 'react'
import { changedFields, defaultFields, type ResourceFields } from '#domain/resource-form/fields.ts'
import type { FormStart } from './find-editable.ts'
import type { Basis } from './use-saving.ts'

/** What the fields are held against: whether there is anything to save, and over what. */
export function useBasis(start: FormStart, fields: ResourceFields) {
  const [basis, setBasis] = useState<Basis>(start)
  const isNew = basis.updatedAt === null
  // A new form begins anew with each category.
  const began = basis.fields && isNew ? defaultFields(fields.category, start.fields.date) : basis.fields
  const isDirty = !began || changedFields(fields, began).length > 0
  return { basis, setBasis, isNew, isDirty }
}
