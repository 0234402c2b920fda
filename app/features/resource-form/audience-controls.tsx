import { genderLabels, genders, isGender } from '#domain/gender.ts'
import { Control, controlClass } from './control.tsx'
import { TextControl } from './text-control.tsx'
import type { FieldsApi } from './use-fields.ts'

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
              className={controlClass('h-12')}
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
