import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { holdsEtag } from '#server/http/negotiation.ts'

/** A page ready to be sent as often as it is asked for: compressed once, when somebody first wants it so. */
export interface DeliverablePage {
  status: number
  headers: Record<string, string>
  bodies: { identity: Body }
  /** Digest of the uncompressed body; each encoding has its own strong ETag made from it. */
  digest: string
  /** What is sent in each encoding, made at the first wish: few pages are ever wanted in every form. */
  forms: Partial<Record<Encoding, Form | Promise<Form>>>
}

type Compression = 'br' | 'gzip'
type Encoding = Compression | 'identity'
type Body = Uint8Array<ArrayBuffer>

/** The two answers that a page has in one encoding. */
interface Form {
  etag: string
  whole: Delivery
  /** For who has the page already (304). */
  unchanged: Delivery
}

/** A page in the form of one answer; the same object for all who get the same. */
export interface Delivery {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Body | null
}

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
  return { status, headers, digest, bodies: { identity: owned(body) }, forms: {} }
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

/** The best encoding of a page that is accepted, or 304; to be waited for only where it has to be compressed first. */
export function prepare(
  page: DeliverablePage,
  { acceptEncoding, ifNoneMatch }: Wishes,
): Delivery | Promise<Delivery> {
  const encoding = chooseEncoding(acceptEncoding ?? '')
  const choose = ({ etag, whole, unchanged }: Form) =>
    page.status === 200 && ifNoneMatch && holdsEtag(ifNoneMatch, etag) ? unchanged : whole
  page.forms[encoding] ??= makeForm(page, encoding)
  const form = page.forms[encoding]
  return form instanceof Promise ? form.then(choose) : choose(form)
}

function makeForm(page: DeliverablePage, encoding: Encoding): Form | Promise<Form> {
  const { identity } = page.bodies
  if (encoding === 'identity') return formOf(page, encoding, identity)
  return compress[encoding](identity).then((body) => {
    const form = formOf(page, encoding, owned(body))
    page.forms[encoding] = form
    return form
  })
}

function formOf({ status, headers, digest }: DeliverablePage, encoding: Encoding, body: Body): Form {
  const etag = `"${digest}${encoding === 'identity' ? '' : `-${encoding}`}"`
  const shared = { ...headers, etag, vary: 'Accept-Encoding' }
  const encoded: Record<string, string> = encoding === 'identity' ? {} : { 'content-encoding': encoding }
  return {
    etag,
    whole: { status, headers: { ...shared, ...encoded, 'content-length': String(body.length) }, body },
    unchanged: { status: 304, headers: shared, body: null },
  }
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
function chooseEncoding(accepted: string): Encoding {
  if (accepted === lastAccepted) return lastChosen
  const accepts = (name: string) =>
    accepted.split(',').some((entry) => {
      const [token = '', ...params] = entry.trim().split(/\s*;\s*/)
      return token.toLowerCase() === name && !params.some((param) => /^q=0(\.0*)?$/.test(param))
    })
  lastAccepted = accepted
  lastChosen = (['br', 'gzip'] as const).find(accepts) ?? 'identity'
  return lastChosen
}

/** Nearly all browsers say the same. */
let lastAccepted: string | undefined
let lastChosen: Encoding = 'identity'
