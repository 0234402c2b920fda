/** Which resources the dashboard lists, and which page of them. */
export interface Shown {
  kind: 'recent' | 'private' | 'featured'
  /** From 1. */
  page: number
}

/** Reads the dashboard's address; what it does not understand is the recent changes, or the first page. */
export function readShown(search: URLSearchParams): Shown {
  const asked = search.get('show')
  const kind = asked === 'private' || asked === 'featured' ? asked : 'recent'
  const page = Number(search.get('page') ?? 1)
  return { kind, page: Number.isInteger(page) && page > 0 && page < 100_000 ? page : 1 }
}

/** The address of a list on the dashboard. */
export const shownAddress = ({ kind, page }: Shown): string => {
  if (kind === 'recent') return '/admin'
  return page > 1 ? `/admin?show=${kind}&page=${page}` : `/admin?show=${kind}`
}
