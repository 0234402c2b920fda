import type { Library } from '#app/session/client/library.ts'
import type { Category } from '#domain/category.ts'

export interface DeletedResource {
  id: string
  title: string
  category: Category
  frees_media: boolean
  deleted_at: string
}

/** One page of what was deleted. */
export interface DeletedPage {
  resources: readonly DeletedResource[]
  /** On all pages together. */
  total: number
  /** From 1. */
  page: number
}

const DAYS_KEPT = 30
export const DELETED_PER_PAGE = 20

/** What was deleted before this moment cannot be restored any more. */
export const expiry = () => new Date(Date.now() - DAYS_KEPT * 24 * 3600_000).toISOString()

/** Which page of it the dashboard's address asks for; the first, unless it names another one. */
export function deletedPageOf(search: URLSearchParams): number {
  const page = Number(search.get('deleted') ?? 1)
  return Number.isInteger(page) && page > 0 && page < 100_000 ? page : 1
}

/**
 * A page of what can still be restored, the last deleted first; the last page where that one is gone. Null when it
 * cannot be found out, which is only logged.
 */
export async function findDeleted(library: Library, page: number): Promise<DeletedPage | null> {
  const from = (page - 1) * DELETED_PER_PAGE
  const { data, count, error } = await library
    .from('deleted_resources')
    .select('id,title,category,frees_media,deleted_at', { count: 'exact' })
    .gt('deleted_at', expiry())
    .order('deleted_at', { ascending: false })
    .order('id')
    .range(from, from + DELETED_PER_PAGE - 1)
  // Whoever restores the last one of a page sees the page before it.
  if (page > 1 && (error ? error.code === OUT_OF_RANGE : data.length === 0))
    return findDeleted(library, page - 1)
  if (error) console.warn('What was deleted could not be loaded:', error.message)
  return error ? null : { resources: data, total: count ?? data.length, page }
}

/** PostgREST's code for an offset behind the last row. */
const OUT_OF_RANGE = 'PGRST103'
