import { z } from 'zod'
import { listBuckets } from '../buckets.ts'
import type { StorageDeps } from '../deps.ts'
import { readQuery, type StorageContext, storableText } from '../request.ts'

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
