import { randomInt } from 'node:crypto'
import { Agent, request as httpRequest } from 'node:http'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import siteRoutes from '#app/routes.ts'
import { openAuth } from '#tests/support/auth.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import {
  type FuzzCaller,
  type FuzzRequest,
  type FuzzRoute,
  fuzzRequests,
} from '#tests/support/fuzz-requests.ts'
import { makeAccount, openSessionFor } from '#tests/support/members.ts'
import { openRest } from '#tests/support/rest.ts'
import { type ServerProcess, startServer } from '#tests/support/server-process.ts'
import { storages } from '#tests/support/storage.ts'

// FUZZ_REQUESTS=20000 FUZZ_SEED=… vitest run tests/acceptance/fuzz
const MANY = Number(process.env.FUZZ_REQUESTS ?? 2_000)
const SEED = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31))
/** What requests do to the accounts that they are made with (leaving, new passwords) does not make all others anonymous. */
const ROUND = 500
const AT_ONCE = 8

const [[, openStorage]] = storages
let server: ServerProcess
let routes: FuzzRoute[]
beforeAll(async () => {
  routes = await everyRoute()
  server = await startServer({
    env: {
      TRUST_PROXY: '1',
      AUTH_RATE_LIMITS: 'off',
      EARLY_ACCESS: 'off',
      AUTH_ANONYMOUS: 'on',
      AUTH_SAML: 'on',
      LOG_LEVEL: 'error',
    },
  })
}, 120_000)
afterAll(() => server?.remove())

/** As the three servers declare them, and the pages. */
async function everyRoute(): Promise<FuzzRoute[]> {
  const [db, rest, storage] = [
    await openTestDatabase(),
    await openRest(openTestDatabase),
    await openStorage(),
  ]
  const auth = await openAuth(db)
  const found = [
    ...auth.app.routes.map(({ method, path }) => ({ method, path: `/auth/v1${path}` })),
    ...rest.routes,
    ...storage.routes,
    ...siteRoutes.map(({ path = '' }) => ({ method: 'GET', path: `/${path}` })),
    ...['/healthz', '/readyz', '/assets/*'].map((path) => ({ method: 'GET', path })),
  ]
  await Promise.all([db.close(), rest.close(), storage.close()])
  return [...new Map(found.map(({ method, path }) => [`${method} ${path}`, { method, path }])).values()]
}

type Credentials = Record<FuzzCaller, Record<string, string>>

/** New accounts with new sessions. */
async function signIn(): Promise<Credentials> {
  const { publishable, secret } = server.keys
  const session = async (role: 'member' | 'admin') => {
    const { access_token: token } = await openSessionFor(server, await makeAccount(server, role))
    return { apikey: publishable, authorization: `Bearer ${token}` }
  }
  return {
    nobody: {},
    visitor: { apikey: publishable, authorization: `Bearer ${publishable}` },
    member: await session('member'),
    admin: await session('admin'),
    service: { apikey: secret, authorization: `Bearer ${secret}` },
  }
}

interface Answer {
  status: number
  retryAfter: string | undefined
  text: string
}

const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })

const send = (request: FuzzRequest, credentials: Credentials, n: number): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url)
    const headers = {
      ...credentials[request.as],
      ...request.headers,
      'x-forwarded-for': `10.0.${(n >> 8) % 256}.${n % 256}`,
    }
    const sent = httpRequest(
      { hostname, port, path: request.target, method: request.method, headers, agent, timeout: 30_000 },
      async (response) => {
        const chunks = await response.toArray().catch(reject)
        const text = Buffer.concat(chunks ?? []).toString()
        resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'], text })
      },
    )
    sent.once('error', (error: NodeJS.ErrnoException) => {
      // The server had hung up between two requests, as it may (RFC 9112, 9.3.1), and has not seen this one.
      const isUnseen = sent.reusedSocket && error.code === 'ECONNRESET'
      isUnseen ? resolve(send(request, credentials, n)) : reject(error)
    })
    sent.once('timeout', () => sent.destroy(new Error('no answer within 30 seconds')))
    sent.end(request.body)
  })

/** Whether an answer blames us. Too many at once is no fault, and neither is a clock that ran out on a busy machine. */
const isFault = ({ status, retryAfter, text }: Answer): boolean =>
  status >= 500 && !(status === 503 && retryAfter) && !text.includes('"57014"')

/** How often each status was answered: requests that are all refused at the door would find nothing. */
const statuses = new Map<number, number>()

async function faultOf(
  request: FuzzRequest,
  credentials: Credentials,
  n: number,
): Promise<string | undefined> {
  const answer = await send(request, credentials, n).catch((error: Error) => error)
  if (!(answer instanceof Error)) statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
  if (!(answer instanceof Error) && !isFault(answer)) return undefined
  const { body, ...shown } = request
  const said = answer instanceof Error ? answer.message : `${answer.status} ${answer.text.slice(0, 200)}`
  return JSON.stringify({
    n,
    ...shown,
    body: body && Buffer.from(body).toString('latin1').slice(0, 500),
    said,
  })
}

const BROKEN_FORM = { 'content-type': 'multipart/form-data; boundary=x' }
/** Requests that have been answered with 500 before. */
const earlier: FuzzRequest[] = [
  { as: 'nobody', method: 'GET', target: '/%0a', headers: {}, body: undefined },
  { as: 'nobody', method: 'GET', target: '/%e2%80%a8.data', headers: {}, body: undefined },
  ...['callback', 'sso/saml/acs'].map((path) => ({
    as: 'nobody' as const,
    method: 'POST',
    target: `/auth/v1/${path}`,
    headers: BROKEN_FORM,
    body: new Uint8Array(Buffer.from('--x\r\nbroken')),
  })),
]

it(
  `${MANY} made-up requests are answered without a fault of ours, seed ${SEED}`,
  async () => {
    const requests = [...earlier, ...fc.sample(fuzzRequests(routes), { seed: SEED, numRuns: MANY })]
    const faults: string[] = []
    for (let first = 0; first < requests.length; first += ROUND) {
      const credentials = await signIn()
      const turn = requests.slice(first, first + ROUND).entries()
      const one = async () => {
        for (const [n, request] of turn) {
          const fault = await faultOf(request, credentials, first + n)
          if (fault) faults.push(fault)
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, one))
    }
    expect(
      faults,
      `FUZZ_SEED=${SEED} FUZZ_REQUESTS=${MANY}; the server wrote:\n${server.output().slice(-4_000)}`,
    ).toEqual([])
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
    if (process.env.FUZZ_REQUESTS) console.log(Object.fromEntries(statuses))
    for (const status of [200, 400, 401, 403, 404, 405]) expect(statuses.get(status)).toBeGreaterThan(10)
  },
  Math.max(120_000, MANY * 60),
)
