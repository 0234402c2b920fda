import { z } from 'zod'
import type { StorageDeps } from '../deps.ts'
import { listTree } from '../listing/list-tree.ts'
import { keyOf, readJson, type StorageContext, storableText } from '../request.ts'

const Body = z.object({
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
    const search = await readJson(c, Body)
    return c.json(await db.asCaller(c.var.caller, (tx) => listTree(tx, bucket, search), { readOnly: true }))
  }
