import type { Transaction } from '#server/database/port.ts'
import { isoTime } from '../buckets.ts'

export interface FolderSearch {
  /** A folder; with or without the slash after it. */
  prefix: string
  limit: number
  offset: number
  sortBy: { column: 'name' | 'updated_at' | 'created_at' | 'last_accessed_at'; order: 'asc' | 'desc' }
  /** How the wanted entries begin, in upper or lower case. */
  search: string
}

/**
 * One level of a bucket: its folders first, then its files, as the role may see them. Names are relative to the folder.
 */
export async function listFolder(tx: Transaction, bucket: string, search: FolderSearch): Promise<unknown[]> {
  const folder = search.prefix.replace(/^\/+|\/+$/g, '')
  const { column, order } = search.sortBy
  const { rows } = await tx.query(
    `with visible as (
       select *, substr(name, length($2) + 1) as rest from storage.objects
       where bucket_id = $1 and starts_with(name, $2)
         and starts_with(lower(substr(name, length($2) + 1)), lower($3))
     ), entries as (
       select split_part(rest, '/', 1) as name, null::uuid as id, null::timestamptz as updated_at,
         null::timestamptz as created_at, null::timestamptz as last_accessed_at, null::jsonb as metadata
       from visible where strpos(rest, '/') > 0 group by 1
       union all
       select rest, id, updated_at, created_at, last_accessed_at, metadata
       from visible where strpos(rest, '/') = 0
     )
     select name, id, ${isoTime('updated_at')}, ${isoTime('created_at')}, ${isoTime('last_accessed_at')}, metadata
     from entries e
     order by e.id is not null, ${column === 'name' ? '' : `e.${column} ${order},`} e.name collate "C" ${order}
     limit $4 offset $5`,
    [bucket, folder && `${folder}/`, search.search, search.limit, search.offset],
  )
  return rows
}
