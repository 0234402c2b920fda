import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/database/port.ts'
import { createRest } from '#server/rest/index.ts'
import { type AuthServer, apiKeys, goodPassword, openAuth, signUpMember } from '#tests/support/auth.ts'
import { openTestDatabase } from '#tests/support/databases.ts'

const open = '00000000-0000-4000-8000-0000000000a1'
const secret = '00000000-0000-4000-8000-0000000000a2'

const library = `
  insert into public.resources (id, title, description, category, location, public) values
    ('${open}', 'Open', 'For everyone', 'reading', 'Berlin', true),
    ('${secret}', 'Secret', 'For members', 'reading', 'Hidden Valley', false);
`

type Person = 'visitor' | 'member' | 'admin'
type Request = readonly [method: string, path: string, body?: unknown]

describe('who may do what over HTTP, with real tokens', () => {
  let db: Database
  let auth: AuthServer
  let rest: ReturnType<typeof createRest>
  const tokens: Partial<Record<Person, string>> = {}
  const id = { member: '', other: '', admin: '' }

  beforeAll(async () => {
    db = await openTestDatabase()
    auth = await openAuth(db)
    const settings = { schemas: ['public'], maxRows: 1000, aggregates: true, plans: false }
    rest = createRest({
      db,
      keys: apiKeys,
      settings,
      verifyToken: auth.deps.tokens.verify,
      log: pino({ level: 'silent' }),
    })
    for (const person of ['member', 'other', 'admin'] as const) {
      const { user, session } = await signUpMember(auth, `${person}@example.org`)
      id[person] = user?.id ?? ''
      if (person !== 'other') tokens[person] = session.access_token
    }
    await db.asOwner('test', (tx) => tx.script(library))
    await db.asOwner('test', (tx) =>
      tx.query(`update public.users set role = 'admin' where id = $1`, [id.admin]),
    )
  })
  afterAll(() => db.close())

  const as = async (who: Person, [method, path, body]: Request, headers: Record<string, string> = {}) => {
    const answer = await rest.request(fill(path), {
      method,
      headers: {
        apikey: apiKeys.publishable,
        authorization: `Bearer ${tokens[who] ?? apiKeys.publishable}`,
        ...(method === 'GET' || method === 'HEAD'
          ? {}
          : { 'content-type': 'application/json', prefer: 'return=representation' }),
        ...headers,
      },
      ...(body !== undefined && { body: fill(JSON.stringify(body)) }),
    })
    const text = await answer.text()
    return { status: answer.status, rows: rowsIn(text), text, count: answer.headers.get('content-range') }
  }
  const fill = (text: string) =>
    text.replaceAll(/\{(member|other|admin)\}/g, (_, person: keyof typeof id) => id[person])
  const rowsIn = (text: string) => {
    const parsed: unknown = text ? JSON.parse(text) : []
    return Array.isArray(parsed) ? parsed.length : 0
  }

  // Columns: status and rows for a visitor, a member, an admin.
  type Line = readonly [what: string, request: Request, visitor: string, member: string, admin: string]
  const own = '/users?id=eq.{member}'
  const others = '/users?id=eq.{other}'
  const lines: readonly Line[] = [
    ['read the library', ['GET', '/resources?select=id'], '200 1', '200 2', '200 2'],
    ['read a private resource by id', ['GET', `/resources?id=eq.${secret}`], '200 0', '200 1', '200 1'],
    [
      'write a resource',
      ['POST', '/resources', { title: 'New', description: 'x', category: 'reading' }],
      '401 0',
      '403 0',
      '201 1',
    ],
    [
      'change a resource',
      ['PATCH', `/resources?id=eq.${open}`, { title: 'Changed' }],
      '401 0',
      '200 0',
      '200 1',
    ],
    ['delete a resource', ['DELETE', '/resources?title=eq.New'], '401 0', '200 0', '200 1'],
    ['read the own profile', ['GET', own], '401 0', '200 1', '200 1'],
    ["read somebody else's profile", ['GET', others], '401 0', '200 0', '200 1'],
    ['read all profiles', ['GET', '/users?select=email'], '401 0', '200 1', '200 3'],
    ['change the own name', ['PATCH', own, { name: 'Me' }], '401 0', '200 1', '200 0'],
    ["change somebody else's name", ['PATCH', others, { name: 'You' }], '401 0', '200 0', '200 0'],
    ['raise the own role', ['PATCH', own, { role: 'admin' }], '401 0', '403 0', '403 0'],
    ['raise a role in passing', ['PATCH', own, { name: 'Me', role: 'admin' }], '401 0', '403 0', '403 0'],
    [
      'raise a role by an upsert',
      ['POST', '/users?on_conflict=id', { id: '{member}', role: 'admin' }],
      '401 0',
      '403 0',
      '403 0',
    ],
    ['become somebody else', ['PATCH', own, { id: '{other}' }], '401 0', '403 0', '403 0'],
    [
      'make a profile for another',
      ['POST', '/users', { id: secret, email: 'x@example.org' }],
      '401 0',
      '403 0',
      '403 0',
    ],
    ['delete a profile', ['DELETE', own], '401 0', '403 0', '403 0'],
    ['save a resource', ['POST', '/rpc/save_resource', { resource_id: open }], '401 0', '200 1', '200 1'],
    ['read the accounts', ['GET', '/auth.users'], '404 0', '404 0', '404 0'],
  ]
  const people: readonly Person[] = ['visitor', 'member', 'admin']
  const cases = lines.flatMap(([what, request, ...answers]) =>
    people.map((who, i) => [who, what, answers[i] ?? '', request] as const),
  )
  it.each(cases)('%s may %s: %s', async (who, _what, expected, request) => {
    const { status, rows } = await as(who, request)
    expect(`${status} ${rows}`).toBe(expected)
  })

  it.each<[string, Request]>([
    ['a filter', ['GET', '/resources?title=like.Sec*']],
    ['an inverted filter', ['GET', '/resources?public=not.is.true']],
    ['alternatives', ['GET', `/resources?or=(public.is.false,title.eq.Secret)&id=neq.${open}`]],
    ['an order and an offset', ['GET', '/resources?order=title.desc&offset=1']],
    ['an aggregate', ['GET', '/resources?select=title.max()&title=like.Sec*']],
    ['a pattern', ['GET', '/resources?location=match.Hidden']],
    ['a function', ['POST', '/rpc/resource_locations', {}]],
    ['a cast that would fail on it', ['GET', '/resources?select=title::integer&public=is.false']],
    ['an update', ['PATCH', '/resources?title=eq.Secret', { title: 'Secret' }]],
    [
      'an insert with its id',
      ['POST', '/resources', { id: secret, title: 'x', description: 'x', category: 'reading' }],
    ],
  ])('a visitor learns nothing of a private resource by %s', async (_how, request) => {
    const { text } = await as('visitor', request)
    expect(text).not.toMatch(/Secret|Hidden|For members/)
  })

  it('a visitor learns nothing of private resources by counting', async () => {
    for (const count of ['exact', 'planned', 'estimated']) {
      const all = await as('visitor', ['HEAD', '/resources'], { prefer: `count=${count}` })
      const without = await as('visitor', ['HEAD', '/resources?title=like.Sec*'], {
        prefer: `count=${count}`,
      })
      if (count === 'exact') expect([all.count, without.count]).toEqual(['0-0/1', '*/0'])
      expect(`${all.text}${without.text}`).toBe('')
    }
  })

  it('a member cannot use admin calls, whatever key comes along', async () => {
    for (const apikey of [apiKeys.publishable, apiKeys.secret]) {
      const answer = await auth.request('/admin/users', { bearer: tokens.admin ?? '', headers: { apikey } })
      expect(answer.status).toBe(403)
    }
  })

  it('a token that is not ours, or too old, reads nothing at all', async () => {
    const forged = `${tokens.member?.slice(0, -8)}AAAAAAAA`
    for (const bearer of [forged, 'not.a.token', `${tokens.member}x`]) {
      const answer = await as('visitor', ['GET', '/resources'], { authorization: `Bearer ${bearer}` })
      expect([answer.status, answer.rows]).toEqual([401, 0])
    }
    auth.advance(3700)
    const late = await as('member', ['GET', '/resources'])
    auth.advance(-3700)
    expect([late.status, JSON.parse(late.text)]).toMatchObject([
      401,
      { code: 'PGRST303', message: 'JWT expired' },
    ])
  })

  it('a role in the metadata that members write themselves means nothing', async () => {
    const client = auth.client()
    await client.signInWithPassword({ email: 'other@example.org', password: goodPassword })
    await client.updateUser({ data: { role: 'admin', app_metadata: { role: 'service_role' } } })
    const { data } = await client.refreshSession()
    const authorization = `Bearer ${data.session?.access_token}`
    expect(await as('visitor', ['DELETE', `/resources?id=eq.${secret}`], { authorization })).toMatchObject({
      status: 200,
      rows: 0,
    })
  })
})
