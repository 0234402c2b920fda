import type { StorageDeps } from '../deps.ts'
import { storageErrors } from '../errors.ts'
import type { StoredObject } from '../objects.ts'
import { type Recipe, recipeName } from './recipe.ts'
import { transform } from './transform.ts'
import { findVariant, keepVariant, type Variant } from './variants.ts'

/** Pictures are made a few at a time: each takes a processor and a good part of memory. */
const AT_ONCE = 2
const MAX_WAITING = 100
/** Larger files are hardly pictures for a page. */
const MAX_SOURCE_BYTES = 25 * 1024 * 1024

/** Gives a picture by a recipe: one that is kept, or one made now. */
export type Studio = (object: StoredObject, recipe: Recipe) => Promise<Variant>

/**
 * Opens a studio. Whoever asks for what is being made already waits for it, instead of making it once more.
 * Errors of the studio: InvalidRequest for a broken picture, SlowDown when too many are waiting.
 */
export function openStudio(deps: StorageDeps): Studio {
  const underWay = new Map<string, Promise<void>>()
  const inTurn = limitTo(AT_ONCE)
  return async (object, recipe) => {
    const key = { source: object.version, recipe: recipeName(recipe) }
    const kept = await findVariant(deps.db, key)
    if (kept) return kept
    const name = `${key.source} ${key.recipe}`
    const making =
      underWay.get(name) ??
      inTurn(async () =>
        keepVariant(deps, key, await transform(await readSource(deps, object), recipe)),
      ).finally(() => underWay.delete(name))
    underWay.set(name, making)
    await making
    return (await findVariant(deps.db, key)) ?? refuse()
  }
}

async function readSource({ files }: StorageDeps, { version, metadata }: StoredObject): Promise<Uint8Array> {
  if (metadata.size > MAX_SOURCE_BYTES) throw storageErrors.tooLarge()
  return new Uint8Array(await new Response(await files.read(version)).arrayBuffer())
}

/** Removed while it was being made. */
const refuse = (): never => {
  throw storageErrors.objectNotFound()
}

/** Lets so many tasks run at once; the others wait in line. */
function limitTo(places: number) {
  let free = places
  const line: Array<() => void> = []
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (free === 0 && line.length >= MAX_WAITING)
      throw storageErrors.busy(new Error('too many pictures are wanted'))
    if (free > 0) free--
    else await new Promise<void>((resolve) => line.push(resolve))
    try {
      return await task()
    } finally {
      const next = line.shift()
      if (next) next()
      else free++
    }
  }
}
