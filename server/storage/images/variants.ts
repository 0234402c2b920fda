import { randomUUID } from 'node:crypto'
import type { Database, Transaction } from '#server/database/port.ts'
import type { Variant } from '../objects/rows.ts'
import type { StorageDeps } from '../request.ts'
import { discard, discardUnlessKept } from '../stored-bytes.ts'

export interface Picture {
  bytes: Uint8Array
  mimetype: string
}

/** Which variant: the version of the picture it is made of, and how. */
export interface VariantKey {
  source: string
  recipe: string
}

/** What is kept at most; the oldest go first. */
const MAX_VARIANTS = 5_000
const MAX_VARIANT_BYTES = 1024 ** 3

export async function findVariant(
  db: Database,
  { source, recipe }: VariantKey,
): Promise<Variant | undefined> {
  const { rows } = await db.asOwner(
    'a picture in another size',
    (tx) =>
      tx.query<Variant>(
        'select version, mimetype, etag, size from storage.image_variants where source = $1 and recipe = $2',
        [source, recipe],
        { repeated: true },
      ),
    { single: true },
  )
  return rows[0]
}

/** Keeps a variant, and makes room for it. It is dropped when its source is gone, or another process was faster. */
export async function keepVariant(
  deps: StorageDeps,
  key: VariantKey,
  { bytes, mimetype }: Picture,
): Promise<void> {
  const version = randomUUID()
  const { size, md5 } = await deps.files.write(version, bytes)
  const isKept = await deps.db
    .asOwner('a picture in another size', async (tx) => {
      const isInserted = await insertVariant(tx, key, { version, mimetype, etag: `"${md5}"`, size })
      if (isInserted) await deleteOldest(tx)
      return isInserted
    })
    .catch((error) => discardUnlessKept(deps, { version }, error))
  if (!isKept) await discard(deps, [{ version }])
}

async function insertVariant(
  tx: Transaction,
  { source, recipe }: VariantKey,
  variant: Variant,
): Promise<boolean> {
  const { version, mimetype, etag, size } = variant
  const { affected } = await tx.query(
    `insert into storage.image_variants (source, recipe, version, mimetype, etag, size)
     select $1, $2, $3, $4, $5, $6 where exists (select from storage.objects where version = $1)
       or exists (select from storage.retired_bytes where version = $1)
     on conflict do nothing`,
    [source, recipe, version, mimetype, etag, size],
  )
  return affected > 0
}

async function deleteOldest(tx: Transaction): Promise<void> {
  await tx.query(
    `delete from storage.image_variants where version in (
       select version from (
         select version, row_number() over newest as number, sum(size) over newest as bytes
         from storage.image_variants window newest as (order by created_at desc, version)
       ) kept where number > $1 or bytes > $2
     )`,
    [MAX_VARIANTS, MAX_VARIANT_BYTES],
  )
}
