export interface Counts {
  offset: number
  page: number
  total?: number
}

/** `0-9/100`: which rows these are, of how many. Unknown or none is `*`. */
export function contentRange({ offset, page, total }: Counts): string {
  const rows = page > 0 && total !== 0 ? `${offset}-${offset + page - 1}` : '*'
  return `${rows}/${total ?? '*'}`
}

/** 206 for a part of what was counted, 416 for a part that begins behind the end. */
export function rangeStatus({ offset, page, total }: Counts): 200 | 206 | 416 {
  if (total === undefined) return 200
  if (offset > total) return 416
  return page < total ? 206 : 200
}
