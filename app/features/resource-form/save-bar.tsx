import type { ReactNode } from 'react'
import { Button, ButtonLink } from '#app/ui/button.tsx'
import { missingParts } from '#domain/resource-form/problems.ts'
import type { ResourceFormApi } from './use-resource-form.ts'

const lists = new Intl.ListFormat('en', { type: 'conjunction' })

/** Submit, what it still waits for, and above it what went wrong. It stays in sight at the lower edge of the screen. */
export function SaveBar({ form, children }: { form: ResourceFormApi; children: ReactNode }) {
  const missing = missingParts(form.fields)
  return (
    <div className="resource-save-bar">
      {children}
      <Button
        type="submit"
        disabled={form.isSaving || missing.length > 0}
        aria-describedby="resource-save-hint"
        className="min-w-40"
      >
        {form.isSaving ? 'Saving...' : form.isNew ? 'Add resource' : 'Save changes'}
      </Button>
      <ButtonLink look="secondary" to="/resources">
        Cancel
      </ButtonLink>
      <p id="resource-save-hint" className="text-sm text-muted">
        {missing.length > 0 ? `Still needed: ${lists.format(missing)}.` : form.isDirty && 'Not saved yet.'}
      </p>
    </div>
  )
}
