import fc from 'fast-check'

export const callers = ['nobody', 'visitor', 'member', 'admin', 'service'] as const
export type FuzzCaller = (typeof callers)[number]

/** A request as no client of ours would send it. */
export interface FuzzRequest {
  as: FuzzCaller
  method: string
  /** Path and query, ready for the request's line. */
  target: string
  headers: Record<string, string>
  body: Uint8Array | undefined
}

/** A route as its server declares it: `/object/:bucket/:name{…}`, below where it is mounted. */
export interface FuzzRoute {
  method: string
  path: string
}

/** The words of a text. */
const words = (text: string): string[] => text.split(/\s+/)

/** Things that go wrong in parsers, in SQL, in headers, in file names and on screens. */
const odd = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  { weight: 4, arbitrary: fc.string({ maxLength: 30 }) },
  {
    weight: 8,
    arbitrary: fc.constantFrom(
      ...[
        '',
        ' ',
        '\0',
        '\n',
        '\r\nx: y',
        '\ud800',
        '\ufeff',
        '‮',
        '𝔘',
        'é',
        '\x7f',
        "'",
        '"',
        '\\',
        '%',
        '%zz',
        '%00',
      ],
      ...[
        '..',
        '../../etc/passwd',
        '/',
        '//',
        '\\\\host',
        '*',
        '?',
        '#',
        '<script>',
        '{{7*7}}',
        '$x',
        'null',
        'NaN',
      ],
      ...[
        '__proto__',
        'constructor',
        'toString',
        '-1',
        '0',
        '1e999',
        '99999999999999999999',
        '9'.repeat(400),
        '0x10',
      ],
      ...words(`true [] {} {"a": ( ) (a.eq.1 eq. not. in.() is.null fts.& cs.{ match.(a`),
      ...[
        '2026-02-30',
        'infinity',
        'a@b',
        'person@example.org',
        '+4930123456',
        'https://elsewhere.example/',
        'a'.repeat(3000),
      ],
    ),
  },
)

const uuid = fc.constantFrom(
  '00000000-0000-4000-8000-000000000001',
  '00000000-0000-0000-0000-000000000000',
  'FFFFFFFF-FFFF-4FFF-BFFF-FFFFFFFFFFFF',
  '00000000-0000-4000-8000-00000000000g',
)
const known = fc.constantFrom(
  ...words(`resources users deleted_resources content_version search_resources search_page save_resource images
    audio
    vault reading podcast webinar a.jpg folder/a.png me public google github`),
)
const word = fc.oneof(
  { weight: 3, arbitrary: odd },
  { weight: 3, arbitrary: known },
  { weight: 2, arbitrary: uuid },
)

/** Path segments: encoded as a browser does, as raw bytes, or broken. */
const segment = word.chain((text) =>
  fc.constantFrom(
    encodeURIComponent(text.toWellFormed()),
    encodeURIComponent(text.toWellFormed()),
    encodeURI(text.toWellFormed()).replaceAll('?', '%3f'),
    Buffer.from(text)
      .toString('latin1')
      .replaceAll(/[^\x21-\xff]/g, '%0a'),
    `${encodeURIComponent(text.toWellFormed())}%`,
  ),
)

const keys = fc.constantFrom(
  ...words(`select order limit offset or and not.and columns on_conflict id title body q
    grade gender page size view category _routes index type token token_hash code
    redirect_to grant_type provider width height quality format resize download apikey
    state error error_description RelayState SAMLResponse per_page email flow_type scopes`),
)
const values = fc.oneof(
  word,
  fc.constantFrom(
    ...words(`password refresh_token pkce id_token signup recovery magiclink email_change eq.1
    gte.2026
    id,title * title.desc id.sum() users(*) body->a->>b like.*a* imatch.^a in.(1,2) 10 avif`),
  ),
)
const query = fc
  .array(fc.tuple(fc.oneof({ weight: 5, arbitrary: keys }, { weight: 1, arbitrary: odd }), values), {
    maxLength: 5,
  })
  .map((pairs) => pairs.map(([key, value]) => `${plain(key)}=${plain(value)}`).join('&'))
const plain = (text: string) => encodeURIComponent(text.toWellFormed())

const headerValue = odd.map((text) =>
  Buffer.from(text)
    .toString('latin1')
    .replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, ''),
)
const headers = fc.dictionary(
  fc.constantFrom(
    ...words(`prefer range accept accept-profile content-profile accept-encoding accept-language
    origin
    if-none-match if-match if-modified-since if-range x-upsert x-metadata cache-control
    cookie
    tus-resumable upload-length upload-offset upload-metadata upload-defer-length
    upload-concat
    x-supabase-api-version x-client-info x-request-id user-agent referer content-encoding
    x-http-method-override
    forwarded x-forwarded-host x-forwarded-proto access-control-request-method apikey
    authorization`),
  ),
  fc.oneof(
    headerValue,
    fc.constantFrom(
      ...words(`return=representation count=exact,handling=strict resolution=merge-duplicates
    max-affected=1 bytes=0-
    application/vnd.pgrst.object+json text/csv application/vnd.pgrst.plan image/avif 1.0.0
    10 true`),
      ...[
        '0-9',
        'bytes=5-2',
        'filename YQ==,bucketName aW1hZ2Vz,objectName YS5qcGc=',
        '2024-01-01',
        'Bearer x.y.z',
        'Bearer ',
      ],
    ),
  ),
  { maxKeys: 4 },
)

const fields = fc.constantFrom(
  ...words(`email password phone token token_hash type data code auth_code code_verifier
    code_challenge
    code_challenge_method refresh_token provider id_token nonce factor_type friendly_name
    challenge_id
    create_user channel domain provider_id redirect_to user_metadata app_metadata
    ban_duration role
    metadata_xml metadata_url domains attribute_mapping credential web_authn scope name
    public id
    file_size_limit allowed_mime_types prefix prefixes limit offset sortBy search cursor
    bucketId
    sourceKey destinationKey expiresIn paths transform title description category body
    savedResources`),
)
const member = fc.oneof(
  { weight: 3, arbitrary: values },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<unknown>(
      ...[
        true,
        false,
        null,
        0,
        -1,
        1e308,
        1.5,
        [],
        {},
        ['a', null],
        { a: { b: [1] } },
        [[]],
        'totp',
        'webauthn',
        'sms',
        'email',
      ],
    ),
  },
)
const json = fc.dictionary(
  fc.oneof({ weight: 9, arbitrary: fields }, { weight: 1, arbitrary: odd }),
  member,
  { maxKeys: 6 },
)

type Body = Readonly<{ type: string; bytes: Uint8Array }>
const bytes = (text: string) => new Uint8Array(Buffer.from(text))
const multipart = fc
  .tuple(fc.array(fc.tuple(fields, odd), { maxLength: 3 }), fc.boolean(), fc.boolean(), headerValue)
  .map(([parts, ends, names, type]): Body => {
    const head = ([name, text]: readonly [string, string]) =>
      `--x\r\ncontent-disposition: form-data; name="${names ? name : text}"; filename="a"\r\ncontent-type: ${type}\r\n\r\n${text}\r\n`
    return {
      type: 'multipart/form-data; boundary=x',
      bytes: bytes(parts.map(head).join('') + (ends ? '--x--\r\n' : '')),
    }
  })
const asJson = (text: string): Body => ({ type: 'application/json', bytes: bytes(text) })
const body: fc.Arbitrary<Body | undefined> = fc.oneof(
  { weight: 8, arbitrary: json.map((value) => asJson(JSON.stringify(value))) },
  { weight: 1, arbitrary: json.map((value) => asJson(JSON.stringify([value, value]))) },
  { weight: 1, arbitrary: json.map((value) => asJson(JSON.stringify(value).slice(0, -1))) },
  { weight: 1, arbitrary: fc.jsonValue().map((value) => asJson(JSON.stringify(value))) },
  { weight: 4, arbitrary: multipart },
  {
    weight: 2,
    arbitrary: query.map((text) => ({ type: 'application/x-www-form-urlencoded', bytes: bytes(text) })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(headerValue, fc.uint8Array({ maxLength: 100 }))
      .map(([type, garbage]) => ({ type, bytes: garbage })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(
        'multipart/form-data',
        'multipart/form-data; boundary=',
        'application/json; charset=utf-16',
        'text/csv',
      )
      .map((type) => ({ type, bytes: bytes('--\r\n\r\n"') })),
  },
  { weight: 1, arbitrary: fc.constant(asJson('['.repeat(20_000))) },
  { weight: 1, arbitrary: fc.constant(undefined) },
)

const methods = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND')

/** Fills a route's parameters, now and then with something after it. */
function targetOf(path: string): fc.Arbitrary<string> {
  const parts = path.split(/(:\w+\??(?:\{[^}]*\})?|\*)/)
  const filled = parts.map((part) => (/^[:*]/.test(part) ? segment : fc.constant(part)))
  const rest = fc.oneof(
    { weight: 12, arbitrary: fc.constant('') },
    { weight: 1, arbitrary: segment },
    { weight: 1, arbitrary: fc.constant('.data') },
  )
  return fc
    .tuple(
      fc.tuple(...filled).map((all) => all.join('')),
      rest,
      query,
    )
    .map(([start, end, search]) => (search ? `${start}${end}?${search}` : `${start}${end}`))
}

/** Made-up requests to these routes: mostly by their own method, with whatever may come along. */
export function fuzzRequests(routes: readonly FuzzRoute[]): fc.Arbitrary<FuzzRequest> {
  return fc.constantFrom(...routes).chain((route) =>
    fc
      .record({
        as: fc.constantFrom(...callers),
        method:
          route.method === 'ALL'
            ? methods
            : fc.oneof(
                { weight: 9, arbitrary: fc.constant(route.method) },
                { weight: 1, arbitrary: methods },
              ),
        target: targetOf(route.path),
        headers,
        body,
      })
      .map(({ body: sent, ...request }) => ({
        ...request,
        headers: { ...request.headers, ...(sent && { 'content-type': sent.type }) },
        body: request.method === 'GET' || request.method === 'HEAD' ? undefined : sent?.bytes,
      })),
  )
}
