import { z } from 'zod'
import { type Database, isSqlError, type Transaction, type Value } from '#server/database/port.ts'
import { storageErrors } from './errors.ts'
import { checkBucketName } from './names.ts'
import { deleteObjects, isoTime } from './objects/rows.ts'
import {
  callerAccess,
  keyOf,
  readJson,
  readQuery,
  type StorageContext,
  type StorageDeps,
  storableText,
} from './request.ts'

/** A bucket as storage-js shows it. */
export interface Bucket {
  id: string
  name: string
  owner: string
  public: boolean
  type: string
  file_size_limit: number | null
  allowed_mime_types: string[] | null
  created_at: string
  updated_at: string
}

/** What can be changed; a missing field stays as it is, null lifts a limit. */
interface BucketSettings {
  public?: boolean | undefined
  file_size_limit?: number | null | undefined
  allowed_mime_types?: string[] | null | undefined
}

const columns = `id, name, coalesce(owner_id, '') as owner, public, type, file_size_limit, allowed_mime_types,
  ${isoTime('created_at')}, ${isoTime('updated_at')}`

/** A bucket that the transaction's role may see. Errors: Bucket not found. */
async function findBucket(tx: Transaction, id: string): Promise<Bucket> {
  const { rows } = await tx.query<Bucket>(`select ${columns} from storage.buckets where id = $1`, [id])
  if (!rows[0]) throw storageErrors.bucketNotFound()
  return rows[0]
}

/** The limits of a bucket bind everybody, whether they may see the bucket or not. Errors: Bucket not found. */
export const bucketLimits = (db: Database, id: string): Promise<Bucket> =>
  db.asOwner('limits of a bucket', (tx) => findBucket(tx, id))

interface BucketSearch {
  limit: number
  offset: number
  sortColumn: 'id' | 'name' | 'created_at' | 'updated_at'
  sortOrder: 'asc' | 'desc'
  search: string
}

/** The buckets that the transaction's role may see and whose names hold the searched text. */
async function listBuckets(tx: Transaction, search: BucketSearch): Promise<Bucket[]> {
  const { rows } = await tx.query<Bucket>(
    `select ${columns} from storage.buckets b where strpos(lower(name), lower($1)) > 0
     order by b.${search.sortColumn} ${search.sortOrder}, b.id limit $2 offset $3`,
    [search.search, search.limit, search.offset],
  )
  return rows
}

/** Errors: SqlError 23505 when there is one of that name, 42501 when policies refuse. */
async function insertBucket(
  tx: Transaction,
  id: string,
  { ownerId, ...settings }: BucketSettings & { ownerId: string | null },
): Promise<void> {
  await tx.query(
    `insert into storage.buckets (id, name, owner_id, public, file_size_limit, allowed_mime_types)
     values ($1, $1, $2, $3, $4, ${asTextArray('$5')})`,
    [
      id,
      ownerId,
      settings.public ?? false,
      settings.file_size_limit ?? null,
      json(settings.allowed_mime_types),
    ],
  )
}

/** Errors: Bucket not found, when the role may not see it or may not change it. */
async function updateBucket(tx: Transaction, id: string, settings: BucketSettings): Promise<void> {
  const { affected } = await tx.query(
    `update storage.buckets set updated_at = now(), public = coalesce($2::boolean, public),
       file_size_limit = case when $3::boolean then $4::bigint else file_size_limit end,
       allowed_mime_types = case when $5::boolean then ${asTextArray('$6')} else allowed_mime_types end
     where id = $1`,
    [
      id,
      settings.public ?? null,
      settings.file_size_limit !== undefined,
      settings.file_size_limit ?? null,
      settings.allowed_mime_types !== undefined,
      json(settings.allowed_mime_types),
    ],
  )
  if (affected === 0) throw storageErrors.bucketNotFound()
}

/** Errors: Bucket not found; SqlError 23503 when objects are still in it. */
async function deleteBucket(tx: Transaction, id: string): Promise<void> {
  const { affected } = await tx.query('delete from storage.buckets where id = $1', [id])
  if (affected === 0) throw storageErrors.bucketNotFound()
}

/** Arrays travel as JSON, which both drivers write alike. */
const json = (list: string[] | null | undefined): Value => (list ? JSON.stringify(list) : null)
const asTextArray = (parameter: string): string =>
  `(select array_agg(item) from jsonb_array_elements_text(${parameter}::jsonb) item)`

const UNITS = { '': 1, b: 1, kb: 1000, mb: 1000 ** 2, gb: 1000 ** 3 } as const

/** A number of bytes, or a text such as `20MB`. The units are powers of ten, as on a hosted project. */
const FileSize = z.union([z.number(), z.string()]).transform((size, check) => {
  const [, number, unit = ''] = /^(\d{1,15}(?:\.\d{1,6})?)\s*(b|kb|mb|gb)?$/i.exec(String(size)) ?? []
  const bytes = Math.floor(Number(number) * UNITS[unit.toLowerCase() as keyof typeof UNITS])
  if (Number.isSafeInteger(bytes)) return bytes
  check.addIssue({ code: 'custom', message: 'Invalid file size format, hint: use 20GB / 20MB / 30KB / 3B' })
  return z.NEVER
})

const MimePattern = z
  .string()
  .max(255)
  .regex(/^(\*|[\w!#$&^.+-]+\/(\*|[\w!#$&^.+-]+))$/, 'is not a type such as image/png or image/*')

/** What a body says about a bucket. Versions of objects are not kept here, and saying otherwise is refused. */
const SettingsBody = z.object({
  public: z.boolean().optional(),
  file_size_limit: FileSize.nullish(),
  allowed_mime_types: z.array(MimePattern).max(100).nullish(),
  type: z.literal('STANDARD').nullish(),
  versioning_status: z.literal('DISABLED').nullish(),
})

const Query = z.object({
  limit: z.coerce.number().int().min(0).max(1000).default(1000),
  offset: z.coerce.number().int().min(0).default(0),
  sortColumn: z.enum(['id', 'name', 'created_at', 'updated_at']).default('name'),
  sortOrder: z.enum(['asc', 'desc']).default('asc'),
  search: storableText.default(''),
})

/** GET /bucket: the buckets that policies let the caller see. */
export const listBucketsEndpoint =
  ({ db }: StorageDeps) =>
  async (c: StorageContext) => {
    const search = readQuery(c, Query)
    return c.json(await db.asCaller(c.var.caller, (tx) => listBuckets(tx, search), { readOnly: true }))
  }

const CreateBody = SettingsBody.extend({ id: z.string().optional(), name: z.string() })

/** POST /bucket. Errors: InvalidBucketName, Duplicate, and a refusal by policy. */
export const createBucket =
  ({ db }: StorageDeps) =>
  async (c: StorageContext) => {
    const { id, name, ...settings } = await readJson(c, CreateBody)
    const bucket = checkBucketName(id ?? name)
    const access = callerAccess(db, c.var.caller)
    await access.transaction((tx) => insertBucket(tx, bucket, { ...settings, ownerId: access.ownerId }))
    return c.json({ name: bucket })
  }

/** GET /bucket/{id}. */
export const readBucket =
  ({ db }: StorageDeps) =>
  async (c: StorageContext) => {
    const { bucket } = keyOf(c)
    return c.json(await db.asCaller(c.var.caller, (tx) => findBucket(tx, bucket), { readOnly: true }))
  }

/** PUT /bucket/{id}: limits bind uploads from then on; what is stored stays. */
export const updateBucketEndpoint =
  ({ db }: StorageDeps) =>
  async (c: StorageContext) => {
    const { bucket } = keyOf(c)
    const settings = await readJson(c, SettingsBody)
    await db.asCaller(c.var.caller, (tx) => updateBucket(tx, bucket, settings))
    return c.json({ message: 'Successfully updated' })
  }

const STILL_REFERENCED = '23503'

/** DELETE /bucket/{id}: an empty one only. Objects that the caller may not see count too. */
export const deleteBucketEndpoint =
  ({ db }: StorageDeps) =>
  async (c: StorageContext) => {
    const { bucket } = keyOf(c)
    await db
      .asCaller(c.var.caller, (tx) => deleteBucket(tx, bucket))
      .catch((error) => {
        const isNotEmpty = isSqlError(error) && error.code === STILL_REFERENCED
        throw isNotEmpty ? storageErrors.bucketNotEmpty() : error
      })
    return c.json({ message: 'Successfully deleted' })
  }

/** POST /bucket/{id}/empty: removes all objects that policies let the caller remove. */
export const emptyBucket = (deps: StorageDeps) => async (c: StorageContext) => {
  const { bucket } = keyOf(c)
  await deps.db.asCaller(c.var.caller, async (tx) => {
    await findBucket(tx, bucket)
    await deleteObjects(tx, bucket)
  })
  return c.json({ message: 'Successfully emptied' })
}
