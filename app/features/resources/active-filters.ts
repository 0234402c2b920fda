import { genderLabels } from '#domain/gender.ts'
import type { ListingQuery } from '#domain/listing.ts'

type FilterName = 'grade' | 'gender' | 'location'

/** The query without any filter; the search words stay. */
export const withoutFilters = { grade: null, gender: null, location: '' } as const

export interface ActiveFilter {
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
