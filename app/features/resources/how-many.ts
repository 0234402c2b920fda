import type { FoundPage } from './find-listing.ts'

/** How many resources a listing found, in words: "1 resource", "300+ resources". */
export const howMany = ({ total, more }: Pick<FoundPage, 'total' | 'more'>): string =>
  `${total}${more ? '+' : ''} ${total === 1 ? 'resource' : 'resources'}`
