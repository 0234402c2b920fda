import { durationLabel } from '#domain/duration.ts'
import { type ResourceFields, secondsOf } from '#domain/resource-form/fields.ts'
import { Check } from './control.tsx'
import { TextControl } from './text-control.tsx'
import type { FieldsApi } from './use-fields.ts'
import type { ResourceFormApi } from './use-resource-form.ts'

/** How long, from when on, where it came from, and who may see it. */
export function PublishingControls({ form }: { form: ResourceFormApi }) {
  const { fields } = form
  return (
    <>
      <div className="grid gap-6 sm:grid-cols-2">
        <DurationControl form={form} />
        {form.isNew ? (
          <TextControl form={form} name="date" label="Date" type="date" required />
        ) : (
          <p className="text-sm text-muted sm:pt-9">The date becomes today when you save.</p>
        )}
      </div>
      <TextControl
        form={form}
        name="link"
        label="Link"
        autoComplete="off"
        spellCheck={false}
        hint="A web address, or where the article comes from. An uploaded file fills it in while it is empty."
      />
      <Check
        name="public"
        label="Public"
        hint="Everybody sees it. Otherwise only members do, once they have logged in."
        checked={fields.public}
        onChange={({ target }) => form.set({ public: target.checked })}
      />
      <Check
        name="featured"
        label="Featured"
        hint="It comes first in the listings, and larger than the others."
        checked={fields.featured}
        onChange={({ target }) => form.set({ featured: target.checked })}
      />
    </>
  )
}

/** A reading's is estimated from its text, a podcast's is read from the recording; both may be typed instead. */
function DurationControl({ form }: { form: FieldsApi }) {
  return (
    <TextControl
      form={form}
      name="duration"
      label="Duration in seconds"
      inputMode="numeric"
      autoComplete="off"
      placeholder={
        form.fields.category === 'reading' ? String(secondsOf({ ...form.fields, duration: '' })) : '0'
      }
      hint={durationHint(form.fields)}
    />
  )
}

function durationHint(fields: ResourceFields): string {
  const label = durationLabel(secondsOf(fields))
  if (fields.category !== 'reading') return `Readers see “${label}”.`
  if (fields.duration.trim()) return `Readers see “${label}”. Empty it to follow the text again.`
  return `Estimated from the text: ${label}. Type a number to set it yourself.`
}
