import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import type { Sharp } from 'sharp'
import type { Database, Transaction } from '#server/database/port.ts'
import { storageErrors } from '../errors.ts'
import type { StoredObject, Variant } from '../objects/rows.ts'
import type { StorageDeps } from '../request.ts'
import { discard, discardUnlessKept } from '../stored-bytes.ts'
import { type ImagePreset, presetName } from './preset.ts'

/** Larger files are hardly pictures for a page. */
const MAX_SOURCE_BYTES = 25 * 1024 * 1024

/** Gives a picture by a preset: one that is kept, or one made now. */
export type ImageTransformer = (object: StoredObject, preset: ImagePreset, c: Context) => Promise<Variant>

/**
 * Makes the transformer of this process. Whoever asks for what is being made already waits for it, instead of making it
 * once more. Pictures are made a few at a time: each takes a processor and a good part of memory. Its errors: InvalidRequest for a broken
 * picture, Busy when too many are waiting.
 */
export function openImageTransformer(deps: StorageDeps): ImageTransformer {
  const underWay = new Map<string, Promise<void>>()
  const { admission } = deps
  return async (object, preset, c) => {
    const key = keyOf(object, preset)
    const kept = object.variant === undefined ? await findVariant(deps.db, key) : object.variant
    if (kept) return kept
    const name = `${key.source} ${key.recipe}`
    const make = () => {
      const making =
        underWay.get(name) ?? makeVariant(deps, object, preset).finally(() => underWay.delete(name))
      underWay.set(name, making)
      return making
    }
    // What is being made already is only waited for; a turn is for beginning.
    await (underWay.get(name) ?? admission.images.run(admission.clientOf(c), make, () => c.req.raw.signal))
    return (await findVariant(deps.db, key)) ?? refuse()
  }
}

async function makeVariant(deps: StorageDeps, object: StoredObject, preset: ImagePreset): Promise<void> {
  const key = keyOf(object, preset)
  // Somebody who had an earlier turn may have made it.
  if (await findVariant(deps.db, key)) return
  await keepVariant(deps, key, await transform(await readSource(deps, object), preset))
}

const keyOf = (object: StoredObject, preset: ImagePreset): VariantKey => ({
  source: object.version,
  recipe: presetName(preset),
})

async function readSource({ files }: StorageDeps, { version, metadata }: StoredObject): Promise<Uint8Array> {
  if (metadata.size > MAX_SOURCE_BYTES) throw storageErrors.tooLarge()
  return new Uint8Array(await new Response(await files.read(version)).arrayBuffer())
}

/** Removed while it was being made. */
const refuse = (): never => {
  throw storageErrors.objectNotFound()
}

/** A small file can unfold into a picture that fills all memory. */
const MAX_PIXELS = 50_000_000

/** Types that have no size of their own, or move: they are served as they are. */
const LEFT_ALONE = new Set(['image/svg+xml', 'image/gif', 'image/apng'])

export const canTransform = (mimetype: string): boolean =>
  mimetype.startsWith('image/') && !LEFT_ALONE.has(mimetype)

/** Makes a variant of a picture, upright and never larger than it is. Errors: InvalidRequest for a broken picture. */
async function transform(bytes: Uint8Array, preset: ImagePreset): Promise<Picture> {
  // Worth 50 MB of memory; a service that shows no pictures never loads it.
  const { default: sharp } = await import('sharp')
  // Each variant is made once: what libvips would remember of it is never asked for again.
  sharp.cache(false)
  // One processor per picture: the others are for the readers.
  sharp.concurrency(1)
  const { width, height, resize } = preset
  const picture = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
    .autoOrient()
    .resize({
      ...(width && { width }),
      ...(height && { height }),
      fit: resize === 'contain' ? 'inside' : resize,
      withoutEnlargement: true,
    })
  try {
    const { data, info } = await encode(picture, preset).toBuffer({ resolveWithObject: true })
    return { bytes: data, mimetype: info.format === 'heif' ? 'image/avif' : `image/${info.format}` }
  } catch (error) {
    throw storageErrors.invalid('The picture cannot be read', error)
  }
}

/** Little effort for AVIF: a reader waits, and more would gain a few percent. */
function encode(picture: Sharp, { format, quality }: ImagePreset): Sharp {
  if (format === 'avif') return picture.avif({ quality: Math.round(quality * 0.7), effort: 2 })
  return format === 'webp' ? picture.webp({ quality }) : picture
}

interface Picture {
  bytes: Uint8Array
  mimetype: string
}

/** Which variant: the version of the picture it is made of, and how. */
interface VariantKey {
  source: string
  recipe: string
}

/** What is kept at most; the oldest go first. */
const MAX_VARIANTS = 5_000
const MAX_VARIANT_BYTES = 1024 ** 3

async function findVariant(db: Database, { source, recipe }: VariantKey): Promise<Variant | undefined> {
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
async function keepVariant(deps: StorageDeps, key: VariantKey, { bytes, mimetype }: Picture): Promise<void> {
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
