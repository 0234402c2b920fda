import { useState } from 'react'
import type { FieldName } from '#domain/resource-form/fields.ts'

/** Which fields have an upload under way. */
export function useUploads() {
  const [busy, setBusy] = useState<readonly FieldName[]>([])
  const setUploading = (name: FieldName, isBusy: boolean) =>
    setBusy((before) => {
      if (before.includes(name) === isBusy) return before
      return isBusy ? [...before, name] : before.filter((other) => other !== name)
    })
  return { isUploading: busy.length > 0, setUploading }
}
