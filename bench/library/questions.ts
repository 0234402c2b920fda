import { findListing, findLocations } from '#app/features/resources/find-listing.ts'
import { parseListing } from '#domain/listing.ts'
import type { Work } from '../measure/rounds.ts'
import type { OpenLibrary } from './open-library.ts'

const listings = {
  listing: ['', 'page=2', 'page=5&size=24', 'size=48'],
  filter: [
    'grade=9',
    'gender=female',
    'gender=other',
    'location=Porto Hills',
    'grade=12&gender=male',
    'grade=6&page=3',
  ],
  'search, common words': ['q=friendship', 'q=parents', 'q=grief&grade=9', 'q=with your teen'],
  'search, rare words': [
    'q=badofeba',
    'q=volunteering',
    'q=no such words at all',
    'q=summer jobs&gender=female',
  ],
} as const

export type Kind = keyof typeof listings
export const kinds = Object.keys(listings) as Kind[]

/** What one kind of page asks of the library: rows, their number, and the choices of the location filter. */
export const questionsOf = ({ library }: OpenLibrary, kind: Kind): Work[] =>
  listings[kind].flatMap((search) =>
    ([undefined, 'reading', 'webinar'] as const).map((category) => async () => {
      const query = parseListing(new URLSearchParams(search), category)
      await Promise.all([findListing(library, query), findLocations(library, category)])
    }),
  )
