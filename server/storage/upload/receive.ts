import { storageErrors } from '../errors.ts'
import { readForm } from './multipart.ts'

/** An upload as it comes in: what is said about the bytes, and the bytes, which have yet to arrive. */
export interface Incoming {
  mimetype: string
  cacheControl: string
  contentEncoding: string | undefined
  userMetadata: Record<string, unknown> | null
  /** How many bytes there will be at least, if that was announced. */
  announced: number | undefined
  bytes: AsyncIterable<Uint8Array>
}

/** Opens the body of an upload: bytes alone with headers, or a form (protocol.md 7.2). Errors: InvalidRequest. */
export async function receive(request: Request): Promise<Incoming> {
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
