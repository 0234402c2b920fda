import { z } from 'zod'
import type { StorageDeps } from '../deps.ts'
import { listFolder } from '../listing/list-folder.ts'
import { keyOf, readJson, type StorageContext, storableText } from '../request.ts'

const Body = z.object({
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
    const search = await readJson(c, Body)
    return c.json(await db.asCaller(c.var.caller, (tx) => listFolder(tx, bucket, search), { readOnly: true }))
  }
