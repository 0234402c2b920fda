import type { Library } from './library.ts'

/** A resource that shows or plays a stored file. */
export interface MediaUse {
  id: string
  title: string
  /** It was deleted, and can still be restored: then it shows the file again. */
  isDeleted: boolean
}

/** Which resources use the file at an address of our own storage, in the order of their titles. Errors: the library's. */
export async function findMediaUses(library: Library, address: string): Promise<MediaUse[]> {
  const { data: uses, error } = await library.rpc('media_uses', { address })
  if (error) throw error
  const deleted = new Set<string>()
  for (let from = 0; from < uses.length; from += IDS_PER_QUERY) {
    const ids = uses.slice(from, from + IDS_PER_QUERY).map(({ id }) => id)
    const found = await library.from('deleted_resources').select('id').in('id', ids)
    if (found.error) throw found.error
    for (const { id } of found.data) deleted.add(id)
  }
  return uses.map((use) => ({ ...use, isDeleted: deleted.has(use.id) }))
}

/** An address of a query may be some 8,000 characters long. */
const IDS_PER_QUERY = 100
