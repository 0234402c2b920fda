import type { Context } from 'hono'
import type { StorageDeps } from '../deps.ts'
import { storageErrors } from '../errors.ts'
import type { StoredObject, Variant } from '../objects.ts'
import { type Recipe, recipeName } from './recipe.ts'
import { transform } from './transform.ts'
import { findVariant, keepVariant, type VariantKey } from './variants.ts'

/** Larger files are hardly pictures for a page. */
const MAX_SOURCE_BYTES = 25 * 1024 * 1024

/** Gives a picture by a recipe: one that is kept, or one made now. */
export type Studio = (object: StoredObject, recipe: Recipe, c: Context) => Promise<Variant>

/**
 * Opens a studio. Whoever asks for what is being made already waits for it, instead of making it once more.
 * Pictures are made a
 * few at a time: each takes a processor and a good part of memory. Errors of the studio: InvalidRequest for a broken
 * picture, Busy when too many are waiting.
 */
export function openStudio(deps: StorageDeps): Studio {
  const underWay = new Map<string, Promise<void>>()
  const { admission } = deps
  return async (object, recipe, c) => {
    const key = keyOf(object, recipe)
    const kept = object.variant === undefined ? await findVariant(deps.db, key) : object.variant
    if (kept) return kept
    const name = `${key.source} ${key.recipe}`
    const make = () => {
      const making =
        underWay.get(name) ?? makeVariant(deps, object, recipe).finally(() => underWay.delete(name))
      underWay.set(name, making)
      return making
    }
    // What is being made already is only waited for; a turn is for beginning.
    await (underWay.get(name) ?? admission.images.run(admission.clientOf(c), make, () => c.req.raw.signal))
    return (await findVariant(deps.db, key)) ?? refuse()
  }
}

async function makeVariant(deps: StorageDeps, object: StoredObject, recipe: Recipe): Promise<void> {
  const key = keyOf(object, recipe)
  // Somebody who had an earlier turn may have made it.
  if (await findVariant(deps.db, key)) return
  await keepVariant(deps, key, await transform(await readSource(deps, object), recipe))
}

const keyOf = (object: StoredObject, recipe: Recipe): VariantKey => ({
  source: object.version,
  recipe: recipeName(recipe),
})

async function readSource({ files }: StorageDeps, { version, metadata }: StoredObject): Promise<Uint8Array> {
  if (metadata.size > MAX_SOURCE_BYTES) throw storageErrors.tooLarge()
  return new Uint8Array(await new Response(await files.read(version)).arrayBuffer())
}

/** Removed while it was being made. */
const refuse = (): never => {
  throw storageErrors.objectNotFound()
}
