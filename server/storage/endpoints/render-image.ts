import type { Context } from 'hono'
import type { StorageDeps } from '../deps.ts'
import { storageErrors } from '../errors.ts'
import { recipeName, toRecipe, Wish } from '../images/recipe.ts'
import type { Studio } from '../images/studio.ts'
import { canTransform } from '../images/transform.ts'
import { readableBy, readableBySignature, readablePublicly, type StoredObject } from '../objects.ts'
import { keyOf, readQuery, type StorageContext } from '../request.ts'
import { serveObject } from '../serve-object.ts'

type Deps = StorageDeps & { studio: Studio }

/** GET and HEAD /render/image/public/{bucket}/{path}?width&height&resize&quality&format: no key needed. */
export const renderPublicImage = (deps: Deps) => async (c: Context) => {
  const wish = readQuery(c, Wish)
  return serveVariant(deps, c, await readablePublicly(deps.db, keyOf(c), recipeOf(c, wish)), wish)
}

/** GET and HEAD /render/image/authenticated/{bucket}/{path}: what policies let the caller see. */
export const renderImage = (deps: Deps) => async (c: StorageContext) =>
  serveVariant(deps, c, await readableBy(deps.db, c.var.caller, keyOf(c)), readQuery(c, Wish))

/** GET and HEAD /render/image/sign/{bucket}/{path}?token=…: the token holds the wish. */
export const renderSignedImage = (deps: Deps) => async (c: Context) => {
  const { transform, key } = await deps.signer.verify(c.req.query('token') ?? '', 'read', keyOf(c))
  if (!transform) throw storageErrors.badSignature()
  return serveVariant(deps, c, await readableBySignature(deps.db, key, recipeOf(c, transform)), transform)
}

const recipeFor = (c: Context, wish: Wish) => toRecipe(wish, c.req.header('accept') ?? '')
const recipeOf = (c: Context, wish: Wish) => recipeName(recipeFor(c, wish))

async function serveVariant(deps: Deps, c: Context, object: StoredObject, wish: Wish): Promise<Response> {
  const { mimetype } = object.metadata
  if (!mimetype.startsWith('image/')) throw storageErrors.invalid('The object is not a picture')
  if (!canTransform(mimetype)) return serveObject(c.req.raw, object, deps.files)
  const variant = await deps.studio(object, recipeFor(c, wish), c)
  const metadata = { ...object.metadata, mimetype: variant.mimetype, eTag: variant.etag, size: variant.size }
  const response = await serveObject(c.req.raw, { ...object, version: variant.version, metadata }, deps.files)
  response.headers.append('vary', 'Accept')
  return response
}
