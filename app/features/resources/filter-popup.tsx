import { SlidersHorizontal, X } from 'lucide'
import { type ToggleEvent, useId } from 'react'
import { Link } from 'react-router'
import { buttonClass } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { genderLabels, genders } from '#domain/gender.ts'
import { gradeOptions } from '#domain/grade-options.ts'
import { changeListing, type ListingQuery, listingSearch } from '#domain/listing.ts'
import { activeFilters, withoutFilters } from './active-filters.ts'
import { ChoiceField } from './choice-field.tsx'
import type { FoundPage } from './find-listing.ts'
import { howMany } from './how-many.ts'
import './filter-popup.css'

interface FilterPopupProps {
  query: ListingQuery
  locations: readonly string[]
  found: FoundPage
}

const popupId = 'listing-filters'

/**
 * The Filter button and its popup: below the button on wide screens, a sheet on phones. It is the platform's popover,
 * so Escape and a press outside close it, and it opens without JavaScript. Each choice counts at once.
 */
export function FilterPopup({ query, locations, found }: FilterPopupProps) {
  const title = useId()
  const count = activeFilters(query).length
  return (
    <>
      <button
        type="button"
        popoverTarget={popupId}
        className={buttonClass('secondary', 'filter-button min-h-12 bg-surface')}
      >
        <Icon icon={SlidersHorizontal} className="size-4.5" />
        Filter
        {count > 0 && (
          <span className="-me-1.5 grid h-6 min-w-6 place-items-center rounded-full bg-accent px-1.5 text-sm text-on-accent tabular-nums">
            {count}
            <span className="sr-only"> active</span>
          </span>
        )}
      </button>
      <div
        id={popupId}
        popover="auto"
        role="dialog"
        aria-labelledby={title}
        className="filter-popup"
        onToggle={focusFirstField}
      >
        <div className="flex items-center justify-between">
          <h2 id={title} className="text-xl">
            Filter
          </h2>
          <CloseButton />
        </div>
        <ChoiceField name="grade" legend="Grade" chosen={query.grade} options={gradeChoices} isEven />
        <ChoiceField name="gender" legend="Gender" chosen={query.gender} options={genderChoices} />
        <LocationField locations={locations} chosen={query.location} />
        <div className="mt-6 flex items-center justify-between gap-3">
          <button type="submit" className={buttonClass('primary')}>
            Show {howMany(found)}
          </button>
          {count > 0 && (
            <Link
              to={{ search: listingSearch(changeListing(query, withoutFilters)) }}
              preventScrollReset
              className={buttonClass('quiet')}
            >
              Clear
            </Link>
          )}
        </div>
      </div>
    </>
  )
}

/** Closes the popup, for example when its choices are submitted. */
export const closeFilterPopup = () => document.getElementById(popupId)?.hidePopover?.()

const gradeChoices = gradeOptions.map((grade) => ({ value: String(grade), label: String(grade) }))
const genderChoices = genders.map((gender) => ({ value: gender, label: genderLabels[gender] }))

const CloseButton = () => (
  <button
    type="button"
    popoverTarget={popupId}
    popoverTargetAction="hide"
    aria-label="Close"
    className="-me-2 grid size-11 cursor-pointer place-items-center rounded-full text-muted hover:text-ink"
  >
    <Icon icon={X} className="size-5" />
  </button>
)

function LocationField({ locations, chosen }: { locations: readonly string[]; chosen: string }) {
  // A location that came with the address is a choice as well, even where no resource has it.
  const options = chosen === '' || locations.includes(chosen) ? locations : [chosen, ...locations]
  return (
    <label className="mt-5 block">
      <span className="font-semibold">Location</span>
      <select
        name="location"
        defaultValue={chosen}
        className="mt-2 h-11 w-full rounded-lg border border-edge bg-surface px-3 text-base"
      >
        <option value="">Any</option>
        {options.map((location) => (
          <option key={location}>{location}</option>
        ))}
      </select>
    </label>
  )
}

function focusFirstField({ newState, currentTarget }: ToggleEvent<HTMLElement>) {
  if (newState === 'open')
    currentTarget.querySelector<HTMLElement>('input:checked')?.focus({ preventScroll: true })
}
