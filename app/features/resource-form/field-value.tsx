import { articleText } from '#domain/article/text.ts'
import { durationLabel } from '#domain/duration.ts'
import { genderLabels } from '#domain/gender.ts'
import { type FieldName, type ResourceFields, secondsOf } from '#domain/resource-form/fields.ts'

/** Longer than that nobody compares two texts with their eyes. */
const SHOWN = 600

/** One field of one version, in words. */
export function FieldValue({ name, fields }: { name: FieldName; fields: ResourceFields }) {
  const text = inWords(name, fields)
  const shown = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
  return <span className="block text-muted wrap-anywhere">{shown || <em>Empty</em>}</span>
}

function inWords(name: FieldName, fields: ResourceFields): string {
  switch (name) {
    case 'public':
    case 'featured':
      return fields[name] ? 'Yes' : 'No'
    case 'article':
      return articleText(fields.article)
    case 'duration':
      return durationLabel(secondsOf(fields))
    case 'gender':
      return fields.gender ? genderLabels[fields.gender] : 'Not stated'
    default:
      return fields[name]
  }
}
