import './filters.css'
import { SlidersHorizontal, X } from 'lucide'
import { type ToggleEvent, useId } from 'react'
import { Link } from 'react-router'
import { buttonClass } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { changeListing, gradeOptions, type ListingQuery, listingSearch } from '#domain/listing.ts'
import { genderLabels, genders } from '#domain/resource.ts'
import type { FoundPage } from './find-listing.ts'

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
            Show {countLabel(found)}
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

type FilterName = 'grade' | 'gender' | 'location'

/** The query without any filter; the search words stay. */
export const withoutFilters = { grade: null, gender: null, location: '' } as const

interface ActiveFilter {
  label: string
  /** The change that takes this filter away. */
  without: Partial<ListingQuery>
}

const filter = (label: string, name: FilterName): ActiveFilter => ({
  label,
  without: { [name]: withoutFilters[name] },
})

/** What the Filter popup has set, in its order and in words. */
export const activeFilters = ({ grade, gender, location }: ListingQuery): ActiveFilter[] =>
  [
    grade !== null && filter(`Grade ${grade}`, 'grade'),
    gender !== null && filter(`Gender: ${genderLabels[gender]}`, 'gender'),
    location !== '' && filter(location, 'location'),
  ].filter((active) => active !== false)

interface ChoiceFieldProps {
  name: string
  legend: string
  chosen: string | number | null
  options: readonly { value: string; label: string }[]
  /** For short labels: all of one width, four in a row. */
  isEven?: boolean
}

/** One of a few: radio buttons in the shape of pills, the first of which chooses nothing. */
function ChoiceField({ name, legend, chosen, options, isEven = false }: ChoiceFieldProps) {
  return (
    <fieldset className="mt-5">
      <legend className="font-semibold">{legend}</legend>
      <div className="choices mt-2" data-even={isEven || undefined}>
        {[{ value: '', label: 'Any' }, ...options].map(({ value, label }) => (
          <label key={value} className="choice">
            <input type="radio" name={name} value={value} defaultChecked={value === String(chosen ?? '')} />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** How many resources a listing found, in words: "1 resource", "300+ resources". */
export const countLabel = ({ total, more }: Pick<FoundPage, 'total' | 'more'>): string =>
  `${total}${more ? '+' : ''} ${total === 1 ? 'resource' : 'resources'}`
