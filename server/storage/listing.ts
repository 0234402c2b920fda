import { z } from 'zod'
import type { Transaction } from '#server/database/port.ts'
import { storageErrors } from './errors.ts'
import { isoTime } from './objects/rows.ts'
import { keyOf, readJson, type StorageContext, type StorageDeps, storableText } from './request.ts'

const ListBody = z.object({
  prefix: storableText.default(''),
  limit: z.number().int().min(1).max(1000).default(100),
  offset: z.number().int().min(0).default(0),
  sortBy: z
    .object({
      column: z.enum(['name', 'updated_at', 'created_at', 'last_accessed_at']).default('name'),
      order: z.enum(['asc', 'desc']).default('asc'),
    })
    .default({ column: 'name', order: 'asc' }),
  search: storableText.default(''),
})

/** POST /object/list/{bucket}: one folder, 100 entries unless more are asked for. Without rights it looks empty. */
export const listObjects =
  ({ db }: StorageDeps) =>
  async (c: StorageContext) => {
    const { bucket } = keyOf(c)
    const search = await readJson(c, ListBody)
    return c.json(await db.asCaller(c.var.caller, (tx) => listFolder(tx, bucket, search), { readOnly: true }))
  }

const ListV2Body = z.object({
  prefix: storableText.default(''),
  limit: z.number().int().min(1).max(1000).default(1000),
  cursor: z.string().max(4096).optional(),
  with_delimiter: z.boolean().default(false),
  sortBy: z
    .object({
      column: z.enum(['name', 'updated_at', 'created_at']).default('name'),
      order: z.enum(['asc', 'desc']).default('asc'),
    })
    .default({ column: 'name', order: 'asc' }),
})

/** POST /object/list-v2/{bucket}: pages by cursor, so that nothing is shown twice while objects come and go. */
export const listObjectsV2 =
  ({ db }: StorageDeps) =>
  async (c: StorageContext) => {
    const { bucket } = keyOf(c)
    const search = await readJson(c, ListV2Body)
    return c.json(await db.asCaller(c.var.caller, (tx) => listTree(tx, bucket, search), { readOnly: true }))
  }

interface FolderSearch {
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
async function listFolder(tx: Transaction, bucket: string, search: FolderSearch): Promise<unknown[]> {
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

interface TreeSearch {
  /** How the wanted names begin. */
  prefix: string
  limit: number
  cursor?: string | undefined
  /** Whether what lies deeper is shown as one folder. */
  with_delimiter: boolean
  sortBy: { column: 'name' | 'updated_at' | 'created_at'; order: 'asc' | 'desc' }
}

interface Entry {
  key: string
  sort: string
  id: string | null
  [column: string]: unknown
}

/** Where the next page begins: after this entry, in this order. Opaque to clients. */
const Cursor = z.tuple([
  z.enum(['name', 'updated_at', 'created_at']),
  z.enum(['asc', 'desc']),
  z.string(),
  z.string(),
])

/** A page of the names that begin with a prefix, as the role may see them. Errors: InvalidRequest (the cursor). */
async function listTree(tx: Transaction, bucket: string, search: TreeSearch) {
  const [column, order, ...after] = search.cursor
    ? readCursor(search.cursor)
    : ([search.sortBy.column, search.sortBy.order, null, null] as const)
  const { rows } = await tx.query<Entry>(pageQuery(column, order), [
    bucket,
    search.prefix.replace(/^\/+/, ''),
    search.with_delimiter,
    ...after,
    search.limit + 1,
  ])
  const page = rows.slice(0, search.limit)
  const last = page.at(-1)
  const hasNext = rows.length > page.length
  return {
    hasNext,
    ...(hasNext && last && { nextCursor: writeCursor([column, order, last.sort, last.key]) }),
    folders: page.filter(({ id }) => id === null).map(({ key }) => ({ key: key.slice(0, -1), name: key })),
    objects: page
      .filter(({ id }) => id !== null)
      .map(({ sort, ...object }) => ({ ...object, name: object.key })),
  }
}

/** Column and order come from closed lists. Times are compared as text to the microsecond, so that a cursor is exact. */
const pageQuery = (column: 'name' | 'updated_at' | 'created_at', order: 'asc' | 'desc'): string => `
  with visible as (
    select *, strpos(substr(name, length($2) + 1), '/') as slash from storage.objects
    where bucket_id = $1 and starts_with(name, $2)
  ), entries as (
    select left(name, length($2) + slash) as key, null::uuid as id, max(updated_at) as updated_at,
      max(created_at) as created_at, null::timestamptz as last_accessed_at, null::jsonb as metadata,
      null::text as version
    from visible where $3::boolean and slash > 0 group by 1
    union all
    select name, id, updated_at, created_at, last_accessed_at, metadata, version
    from visible where not ($3::boolean and slash > 0)
  ), sorted as (
    select *, ${sortText[column]} collate "C" as sort, key collate "C" as ordered_key from entries
  )
  select key, sort, id, ${isoTime('updated_at')}, ${isoTime('created_at')}, ${isoTime('last_accessed_at')},
    metadata, version
  from sorted s
  where $4::text is null or (s.sort, s.ordered_key) ${order === 'asc' ? '>' : '<'} ($4::text, $5::text)
  order by s.sort ${order}, s.ordered_key ${order} limit $6`

const timeText = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')`
const sortText = {
  name: 'key',
  updated_at: timeText('updated_at'),
  created_at: timeText('created_at'),
} as const

const writeCursor = (cursor: z.infer<typeof Cursor>): string =>
  Buffer.from(JSON.stringify(cursor)).toString('base64url')

function readCursor(text: string): z.infer<typeof Cursor> {
  try {
    return Cursor.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')))
  } catch {
    throw storageErrors.invalid('cursor: is not one that was given')
  }
}
