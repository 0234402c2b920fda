import type { Context } from 'hono'
import { storageErrors } from '../errors.ts'
import { serveObject } from '../objects/read.ts'
import { readableBy, readableBySignature, readablePublicly, type StoredObject } from '../objects/rows.ts'
import type { StorageDeps } from '../request.ts'
import { keyOf, readQuery, type StorageContext } from '../request.ts'
import type { ImageTransformer } from './image-transformer.ts'
import { canTransform } from './image-transformer.ts'
import { presetName, TransformOptions, toPreset } from './preset.ts'

type Deps = StorageDeps & { transformImage: ImageTransformer }

/** GET and HEAD /render/image/public/{bucket}/{path}?width&height&resize&quality&format: no key needed. */
export const renderPublicImage = (deps: Deps) => async (c: Context) => {
  const options = readQuery(c, TransformOptions)
  return serveVariant(deps, c, await readablePublicly(deps.db, keyOf(c), presetNameFor(c, options)), options)
}

/** GET and HEAD /render/image/authenticated/{bucket}/{path}: what policies let the caller see. */
export const renderImage = (deps: Deps) => async (c: StorageContext) =>
  serveVariant(deps, c, await readableBy(deps.db, c.var.caller, keyOf(c)), readQuery(c, TransformOptions))

/** GET and HEAD /render/image/sign/{bucket}/{path}?token=…: the token holds the options. */
export const renderSignedImage = (deps: Deps) => async (c: Context) => {
  const { transform, key } = await deps.signer.verify(c.req.query('token') ?? '', 'read', keyOf(c))
  if (!transform) throw storageErrors.badSignature()
  return serveVariant(
    deps,
    c,
    await readableBySignature(deps.db, key, presetNameFor(c, transform)),
    transform,
  )
}

const presetFor = (c: Context, options: TransformOptions) => toPreset(options, c.req.header('accept') ?? '')
const presetNameFor = (c: Context, options: TransformOptions) => presetName(presetFor(c, options))

async function serveVariant(
  deps: Deps,
  c: Context,
  object: StoredObject,
  options: TransformOptions,
): Promise<Response> {
  const { mimetype } = object.metadata
  if (!mimetype.startsWith('image/')) throw storageErrors.invalid('The object is not a picture')
  if (!canTransform(mimetype)) return serveObject(c.req.raw, object, deps.files)
  const variant = await deps.transformImage(object, presetFor(c, options), c)
  const metadata = { ...object.metadata, mimetype: variant.mimetype, eTag: variant.etag, size: variant.size }
  const response = await serveObject(c.req.raw, { ...object, version: variant.version, metadata }, deps.files)
  response.headers.append('vary', 'Accept')
  return response
}
