import { useMemo } from 'react'
import { AudioField } from '#app/features/media/audio-field.tsx'
import { ImageField } from '#app/features/media/media-field.tsx'
import { mediaAccess } from '#app/features/media/stored-files.ts'
import { useSettings } from '#app/session/site.ts'
import { Button } from '#app/ui/button.tsx'
import { fieldClass } from '#app/ui/forms/field.tsx'
import { Banner } from '#app/ui/page.tsx'
import { durationLabel } from '#domain/duration.ts'
import { categoryLabels, genderLabels, genders, isGender } from '#domain/resource.ts'
import {
  creatableCategories,
  isCreatable,
  type ResourceFields,
  secondsOf,
} from '#domain/resource-form/fields.ts'
import { Check, Control, TextControl } from './controls.tsx'
import type { FieldsApi, ResourceFormApi } from './use-resource-form.ts'

/** What kind of resource it is. Changing it begins a new form; what was typed before can come back. */
export function CategoryControl({ form }: { form: ResourceFormApi }) {
  const { category } = form.fields
  // A resource that is there keeps its category (specification, section 4).
  const isFixed = !form.isNew || !isCreatable(category)
  const choices = isFixed ? [category] : creatableCategories
  return (
    <div className="space-y-4">
      <Control
        name="category"
        label="Category"
        hint={
          isFixed
            ? 'The category stays what it was when the resource was made.'
            : 'More types are coming soon.'
        }
      >
        {(tied) => (
          <select
            {...tied}
            required
            disabled={isFixed}
            value={category}
            onChange={({ target: { value } }) => isCreatable(value) && form.chooseCategory(value)}
            className={fieldClass('h-12')}
          >
            {choices.map((choice) => (
              <option key={choice} value={choice}>
                {categoryLabels[choice]}
              </option>
            ))}
          </select>
        )}
      </Control>
      {form.setAside && (
        <Banner tone="note">
          <p role="status">The form began anew for the other category.</p>
          <Button look="secondary" onClick={form.bringBack}>
            Bring back what I had typed
          </Button>
        </Banner>
      )}
    </div>
  )
}

/** The recording of a podcast, and the picture with its words. */
export function MediaControls({ form }: { form: ResourceFormApi }) {
  const { category } = form.fields
  const settings = useSettings()
  const session = useMemo(() => mediaAccess(settings), [settings])
  const common = (name: 'image_url' | 'audioUrl') => ({
    value: form.fields[name],
    onChange: (address: string) => form.set({ [name]: address }),
    onBlur: () => form.leave(name),
    onBusy: (isBusy: boolean) => form.setUploading(name, isBusy),
    ...(form.problems[name] && { error: form.problems[name] }),
    session,
  })
  return (
    <>
      {category === 'podcast' && (
        <AudioField
          {...common('audioUrl')}
          required
          onDuration={(seconds) => form.set({ duration: String(Math.round(seconds)) })}
        />
      )}
      <ImageField {...common('image_url')} required={category === 'reading'} />
      <TextControl
        form={form}
        name="image_alt"
        label="Alt text"
        autoComplete="off"
        hint="What the picture shows, for those who cannot see it. Empty if it only decorates."
      />
    </>
  )
}

interface AudienceControlsProps {
  form: FieldsApi
  /** Places that other resources name. */
  locations: readonly string[]
}

/** For whom and where. */
export function AudienceControls({ form, locations }: AudienceControlsProps) {
  return (
    <>
      <div className="grid gap-6 sm:grid-cols-2">
        <TextControl
          form={form}
          name="grade"
          label="Grade"
          autoComplete="off"
          hint="A range such as K-12 or 6-8. Empty becomes K-12."
        />
        <Control name="gender" label="Gender" problem={form.problems.gender}>
          {(tied) => (
            <select
              {...tied}
              value={form.fields.gender}
              onChange={({ target: { value } }) => form.set({ gender: isGender(value) ? value : '' })}
              className={fieldClass('h-12')}
            >
              {genders.map((gender) => (
                <option key={gender} value={gender}>
                  {genderLabels[gender]}
                </option>
              ))}
              <option value="">Not stated</option>
            </select>
          )}
        </Control>
      </div>
      <TextControl
        form={form}
        name="location"
        label="Location"
        list="resource-locations"
        autoComplete="off"
        hint="Where it is on offer. Empty for everywhere."
      />
      <datalist id="resource-locations">
        {locations.map((location) => (
          <option key={location} value={location} />
        ))}
      </datalist>
    </>
  )
}

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
