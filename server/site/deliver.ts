import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { holdsEtag } from '#server/http/negotiation.ts'

/** A page ready to be sent as often as it is asked for: compressed once, when somebody first wants it so. */
export interface DeliverablePage {
  status: number
  headers: Record<string, string>
  bodies: { identity: Body } & Partial<Record<Compression, Promise<Body>>>
  /** Digest of the uncompressed body; each encoding has its own strong ETag made from it. */
  digest: string
}

type Compression = 'br' | 'gzip'
type Body = Uint8Array<ArrayBuffer>

/** Quality 5 makes a page about 15 % larger than 11 does, in a twentieth of the time. */
const BROTLI_QUALITY = 5
/** No page is larger than this window of 256 KB; the usual one of 4 MB has to be made anew for each. */
const WINDOW_BITS = 18
const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

const compress: Record<Compression, (body: Body) => Promise<Uint8Array>> = {
  br: (body) =>
    brotli(body, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
        [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS,
      },
    }),
  gzip: (body) => gzipped(body),
}

/** Fixes the validators of a rendered body. */
export function makeDeliverable(
  status: number,
  headers: Record<string, string>,
  body: Uint8Array,
): DeliverablePage {
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, 22)
  return { status, headers, digest, bodies: { identity: owned(body) } }
}

/** Compressed at the first wish, for all who have the same; few pages are ever wanted in every form. */
function bodyOf({ bodies }: DeliverablePage, encoding: Compression | 'identity'): Body | Promise<Body> {
  if (encoding === 'identity') return bodies.identity
  bodies[encoding] ??= compress[encoding](bodies.identity).then(owned)
  return bodies[encoding]
}

/** Copies out of Node's shared pools, so that the cache's size is what it says. */
const owned = (bytes: Uint8Array): Body => new Uint8Array(bytes)

/** What a page weighs in the cache, with both of its compressed forms: HTML shrinks to less than a quarter. */
export const pageBytes = ({ bodies }: DeliverablePage): number => 1 + Math.ceil(1.5 * bodies.identity.length)

/** What of a request decides how a page is sent. */
interface Wishes {
  acceptEncoding?: string | null | undefined
  ifNoneMatch?: string | null | undefined
}

/** A page in the form of one answer; without a body where the browser has it already (304). */
interface Delivery {
  status: number
  headers: Record<string, string>
  body: Body | null
}

/** The best encoding of a page that is accepted, or 304. */
export async function prepare(
  page: DeliverablePage,
  { acceptEncoding, ifNoneMatch }: Wishes,
): Promise<Delivery> {
  const encoding = chooseEncoding(acceptEncoding ?? '')
  const etag = `"${page.digest}${encoding === 'identity' ? '' : `-${encoding}`}"`
  const headers: Record<string, string> = { ...page.headers, etag, vary: 'Accept-Encoding' }
  if (page.status === 200 && holdsEtag(ifNoneMatch, etag)) {
    return { status: 304, headers, body: null }
  }
  const body = await bodyOf(page, encoding)
  if (encoding !== 'identity') headers['content-encoding'] = encoding
  headers['content-length'] = String(body.length)
  return { status: page.status, headers, body }
}

/** The answer to one request for a page. */
export async function deliver(page: DeliverablePage, { headers, method }: Request): Promise<Response> {
  const wishes = {
    acceptEncoding: headers.get('accept-encoding'),
    ifNoneMatch: headers.get('if-none-match'),
  }
  const { body, ...init } = await prepare(page, wishes)
  return new Response(method === 'HEAD' ? null : body, init)
}

/** RFC 9110 12.5.3, as far as browsers and tools use it: an encoding is taken unless it is absent or has q=0. */
function chooseEncoding(accepted: string): Compression | 'identity' {
  const accepts = (name: string) =>
    accepted.split(',').some((entry) => {
      const [token = '', ...params] = entry.trim().split(/\s*;\s*/)
      return token.toLowerCase() === name && !params.some((param) => /^q=0(\.0*)?$/.test(param))
    })
  return (['br', 'gzip'] as const).find(accepts) ?? 'identity'
}
