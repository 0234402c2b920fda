import type { Context } from 'hono'
import parseRange from 'range-parser'
import type { ByteRange, Files } from '#server/files/port.ts'
import { holdsEtag } from '#server/http/headers.ts'
import { storageErrors } from '../errors.ts'
import { keyOf, type StorageContext, type StorageDeps } from '../request.ts'
import {
  type ObjectMetadata,
  readableBy,
  readableBySignature,
  readablePublicly,
  type StoredObject,
} from './rows.ts'

/** GET and HEAD /object/{bucket}/{path} and /object/authenticated/…: what policies let the caller see. */
export const readObject = (deps: StorageDeps) => async (c: StorageContext) =>
  serveObject(c.req.raw, await readableBy(deps.db, c.var.caller, keyOf(c)), deps.files)

/** GET and HEAD /object/public/{bucket}/{path}: no key needed, public buckets only (protocol.md 7.2). */
export const readPublicObject = (deps: StorageDeps) => async (c: Context) =>
  serveObject(c.req.raw, await readablePublicly(deps.db, keyOf(c)), deps.files)

/** GET and HEAD /object/sign/{bucket}/{path}?token=…: no key; the token is the permission. */
export const readSignedObject = (deps: StorageDeps) => async (c: Context) => {
  const { transform, key } = await deps.signer.verify(c.req.query('token') ?? '', 'read', keyOf(c))
  // Who may see a small picture may not see the large one.
  if (transform) throw storageErrors.badSignature()
  return serveObject(c.req.raw, await readableBySignature(deps.db, key), deps.files)
}

/** GET /object/info/public/{bucket}/{path}: no key needed. */
export const describePublicObject =
  ({ db }: StorageDeps) =>
  async (c: Context) =>
    c.json(infoOf(await readablePublicly(db, keyOf(c))))

/** GET /object/info/{bucket}/{path} and /object/info/authenticated/…; storage-js asks `exists()` here too. */
export const describeObject =
  ({ db }: StorageDeps) =>
  async (c: StorageContext) =>
    c.json(infoOf(await readableBy(db, c.var.caller, keyOf(c))))

const infoOf = ({ metadata, ...object }: StoredObject) => ({
  id: object.id,
  name: object.name,
  version: object.version,
  bucket_id: object.bucket_id,
  size: metadata.size,
  content_type: metadata.mimetype,
  content_encoding: metadata.contentEncoding ?? null,
  cache_control: metadata.cacheControl,
  etag: metadata.eTag,
  metadata: object.user_metadata ?? {},
  last_modified: metadata.lastModified,
  created_at: object.created_at,
})

/** Types that a browser might run in our origin; they are only ever handed out as downloads. */
const ACTIVE_TYPES = /^(text\/(html|xml|xsl|javascript)|application\/(xml|pdf|javascript)|[^;]*\+xml)/i

/**
 * Answers a GET or HEAD with an object's bytes: whole, one byte range (206), nothing new (304), or 416.
 * RFC 9110 sections 13 and 14. Several ranges at once are answered with the whole.
 */
export async function serveObject(request: Request, object: StoredObject, files: Files): Promise<Response> {
  const { metadata, version } = object
  const headers = objectHeaders(request, object)
  if (isUnchanged(request, metadata)) return new Response(null, { status: 304, headers })
  const range = requestedRange(request, metadata)
  if (range === 'unsatisfiable') {
    headers.set('content-range', `bytes */${metadata.size}`)
    return new Response(null, { status: 416, headers })
  }
  if (range) headers.set('content-range', `bytes ${range.start}-${range.end}/${metadata.size}`)
  headers.set('content-length', String(range ? range.end - range.start + 1 : metadata.size))
  const body = request.method === 'HEAD' ? null : await files.read(version, range)
  return new Response(body, { status: range ? 206 : 200, headers })
}

function objectHeaders(request: Request, { metadata }: StoredObject): Headers {
  const download = new URL(request.url).searchParams.get('download')
  const headers = new Headers({
    'content-type': metadata.mimetype,
    'cache-control': metadata.cacheControl,
    etag: metadata.eTag,
    'last-modified': new Date(metadata.lastModified).toUTCString(),
    'accept-ranges': 'bytes',
    ...(metadata.contentEncoding && { 'content-encoding': metadata.contentEncoding }),
    // Whatever the bytes are, they can run nothing here.
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  })
  if (download !== null || ACTIVE_TYPES.test(metadata.mimetype)) {
    const name = download ? `; filename*=UTF-8''${encodeRfc8187(download)}` : ''
    headers.set('content-disposition', `attachment${name}`)
  }
  return headers
}

/** encodeURIComponent leaves some marks that a header parameter may not hold. */
const encodeRfc8187 = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replaceAll(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16)}`,
  )

/** If-None-Match outranks If-Modified-Since, which knows whole seconds only (RFC 9110, 13.2.2). */
const isUnchanged = (request: Request, { eTag, lastModified }: ObjectMetadata): boolean => {
  const known = request.headers.get('if-none-match')
  if (known) return holdsEtag(known, eTag)
  const since = Date.parse(request.headers.get('if-modified-since') ?? '')
  return Math.floor(Date.parse(lastModified) / 1000) * 1000 <= since
}

function requestedRange(
  request: Request,
  { size, eTag }: { size: number; eTag: string },
): ByteRange | 'unsatisfiable' | undefined {
  const header = request.headers.get('range')
  const ifRange = request.headers.get('if-range')
  if (!header || (ifRange && ifRange !== eTag)) return undefined
  const ranges = parseRange(size, header)
  if (ranges === -1) return 'unsatisfiable'
  if (ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return undefined
  return ranges[0]
}
