import { Readable } from 'node:stream'
import busboy from 'busboy'
import type { Context } from 'hono'
import { storageErrors } from '../errors.ts'
import type { WriteMode } from '../objects/rows.ts'
import {
  callerAccess,
  keyOf,
  type StorageContext,
  type StorageDeps,
  signedAccess,
  wantsUpsert,
} from '../request.ts'
import { urlOf } from '../signing.ts'
import type { Incoming } from './store.ts'
import { storeUpload } from './store.ts'

/** Opens the body of an upload: bytes alone with headers, or a form (protocol.md 7.2). Errors: InvalidRequest. */
async function receive(request: Request): Promise<Incoming> {
  const length = request.headers.get('content-length')
  const announced = length === null ? undefined : Number(length)
  return /^multipart\/form-data/i.test(request.headers.get('content-type') ?? '')
    ? receiveForm(request, announced)
    : receiveRaw(request, announced)
}

function receiveRaw({ headers, body }: Request, announced: number | undefined): Incoming {
  const metadata = headers.get('x-metadata')
  return {
    mimetype: mediaType(headers.get('content-type') ?? 'application/octet-stream'),
    cacheControl: cacheControl(headers.get('cache-control') ?? 'no-cache'),
    contentEncoding: contentEncoding(headers.get('content-encoding')),
    userMetadata: metadata ? readMetadata(Buffer.from(metadata, 'base64').toString('utf8')) : null,
    announced,
    bytes: arriving(body as AsyncIterable<Uint8Array> | null, announced),
  }
}

async function receiveForm(request: Request, announced: number | undefined): Promise<Incoming> {
  const { fields, mimetype, bytes } = await readForm(request)
  const described = incomingOf({
    mimetype,
    cacheSeconds: fields.get('cacheControl'),
    encoding: fields.get('contentEncoding'),
    metadata: fields.get('metadata'),
    // The file is somewhat smaller than the form around it.
    announced: announced === undefined ? undefined : Math.max(0, announced - FORM_BYTES),
  })
  return { ...described, bytes: arriving(bytes, undefined) }
}

const FORM_BYTES = 512 * 1024

interface Fields {
  mimetype: string
  cacheSeconds?: string | undefined
  encoding?: string | undefined
  metadata?: string | undefined
  announced: number | undefined
}

/** What the fields of a form, or of a resumable upload, say about a file. Errors: InvalidRequest, InvalidMimeType. */
export const incomingOf = (fields: Fields): Omit<Incoming, 'bytes'> => ({
  mimetype: mediaType(fields.mimetype),
  cacheControl: cacheControl(fields.cacheSeconds ? `max-age=${fields.cacheSeconds}` : 'no-cache'),
  contentEncoding: contentEncoding(fields.encoding ?? null),
  userMetadata: fields.metadata ? readMetadata(fields.metadata) : null,
  announced: fields.announced,
})

/** A body that breaks off is told apart from our own failures, and from one that is whole. */
async function* arriving(
  body: AsyncIterable<Uint8Array> | null,
  announced: number | undefined,
): AsyncGenerator<Uint8Array> {
  let size = 0
  try {
    for await (const chunk of body ?? []) {
      size += chunk.length
      yield chunk
    }
  } catch (error) {
    throw storageErrors.cutOff(error)
  }
  if (announced !== undefined && size < announced) throw storageErrors.cutOff(undefined)
}

/** What is kept here becomes a header of every download, so it must be fit to be one. */
export function mediaType(text: string): string {
  if (text.length > 255 || !/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+\s*(;[\x20-\x7e]*)?$/.test(text)) {
    throw storageErrors.mimeType(text.slice(0, 100))
  }
  return text
}

export function cacheControl(text: string): string {
  if (!/^[\x20-\x7e]{0,200}$/.test(text)) throw storageErrors.invalid('cache-control is malformed')
  return text
}

export function contentEncoding(text: string | null): string | undefined {
  if (!text || text === 'identity') return undefined
  if (!/^[\w-]{1,20}(\s*,\s*[\w-]{1,20}){0,3}$/.test(text))
    throw storageErrors.invalid('content-encoding is malformed')
  return text
}

function readMetadata(json: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json)
    if (value && typeof value === 'object' && !Array.isArray(value) && !json.includes('\\u0000')) {
      return value as Record<string, unknown>
    }
  } catch {
    // Answered below, like any other text that is no object.
  }
  throw storageErrors.invalid('metadata must be a JSON object (in x-metadata: base64-encoded)')
}

/** POST /object/{bucket}/{path} makes an object (with x-upsert: or replaces it), PUT replaces one that is there. */
export const uploadObject = (deps: StorageDeps) => async (c: StorageContext) => {
  const key = keyOf(c)
  const mode: WriteMode = c.req.method === 'PUT' ? 'update' : wantsUpsert(c) ? 'upsert' : 'insert'
  const incoming = await receive(c.req.raw)
  const id = await storeUpload(deps, { access: callerAccess(deps.db, c.var.caller), key, mode, incoming })
  return c.json({ Id: id, Key: `${key.bucket}/${key.name}` })
}

/** PUT /object/upload/sign/{bucket}/{path}?token=…: no key; the token says who owns it and whether it may replace. */
export const uploadSignedObject = (deps: StorageDeps) => async (c: Context) => {
  const token = c.req.query('token')
  if (!token) throw storageErrors.badSignature()
  const { owner, upsert, key } = await deps.signer.verify(token, 'write', keyOf(c))
  const access = signedAccess(deps.db, owner)
  const incoming = await receive(c.req.raw)
  const id = await storeUpload(deps, { access, key, mode: upsert ? 'upsert' : 'insert', incoming })
  return c.json({ Id: id, Key: urlOf(key) })
}

/** The first file of a form, as it arrives, and the fields that came before it. */
interface FormUpload {
  fields: ReadonlyMap<string, string>
  mimetype: string
  bytes: AsyncIterable<Uint8Array>
}

const LIMITS = { fields: 20, fieldSize: 256 * 1024, files: 1, parts: 30, headerPairs: 50 }

/**
 * Opens a multipart/form-data body without holding its file in memory. storage-js sends fields first, so they are known
 * when the file begins. Errors: InvalidRequest when it is no form, or holds no file, or ends too early.
 */
async function readForm(request: Request): Promise<FormUpload> {
  const parser = openParser(request)
  const body = Readable.fromWeb((request.body ?? new Blob([]).stream()) as never)
  const { promise, resolve, reject } = Promise.withResolvers<FormUpload>()
  const fields = new Map<string, string>()
  parser.on('field', (name, value) => fields.set(name, value))
  parser.on('file', (_name, file, { mimeType }) => {
    // Nobody may be reading it when the connection breaks; whoever reads hears of it anyway.
    file.on('error', () => undefined)
    file.once('close', () => !file.readableEnded && body.unpipe(parser).destroy())
    resolve({ fields, mimetype: mimeType, bytes: file })
  })
  parser.on('error', (error) => reject(unreadable(error)))
  parser.once('close', () => reject(storageErrors.invalid('The form holds no file')))
  body.once('error', (error) => {
    reject(storageErrors.cutOff(error))
    parser.destroy(error)
  })
  body.pipe(parser)
  return promise
}

function openParser(request: Request): busboy.Busboy {
  try {
    return busboy({ headers: Object.fromEntries(request.headers), limits: LIMITS })
  } catch (error) {
    throw unreadable(error)
  }
}

const unreadable = (error: unknown) =>
  storageErrors.invalid(`The form cannot be read: ${error instanceof Error ? error.message : 'malformed'}`)
