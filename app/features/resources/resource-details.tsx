import { Clock } from 'lucide'
import { Icon } from '#app/ui/icon.tsx'
import { longDate } from '#domain/dates.ts'
import { durationLabel } from '#domain/duration.ts'
import { genderLabels } from '#domain/gender.ts'
import type { ResourceSummary } from '#domain/resource.ts'

/** The date in words and the duration as a badge. */
export function DateAndDuration({ resource: { date, duration } }: { resource: ResourceSummary }) {
  const day = longDate(date)
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-2 text-muted tabular-nums">
      {day && <time dateTime={date}>{day}</time>}
      {duration > 0 && (
        <span className="inline-flex items-center gap-1.5 rounded-full bg-tint px-3 py-1 text-sm font-semibold text-warning">
          <Icon icon={Clock} className="size-4" />
          {durationLabel(duration)}
        </span>
      )}
    </p>
  )
}

/** For whom and where, quietly; nothing where nothing is known. */
export function Audience({ resource: { grade, gender, location } }: { resource: ResourceSummary }) {
  const facts = [
    { name: 'Grade', value: grade },
    { name: 'Gender', value: gender && genderLabels[gender] },
    { name: 'Location', value: location },
  ].filter(({ value }) => value)
  if (facts.length === 0) return null
  return (
    <dl className="audience">
      {facts.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
