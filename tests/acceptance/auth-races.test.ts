import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database, Transaction } from '#server/database/port.ts'
import {
  type AuthServer,
  codeIn,
  freshEmail,
  goodPassword,
  linkIn,
  openAuth,
  siteUrl,
} from '#tests/support/auth.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { type OpenIdProvider, startOpenIdProvider } from '#tests/support/openid-provider.ts'

describe('two who try at the same moment', () => {
  let db: Database
  let peer: OpenIdProvider
  let server: AuthServer
  beforeAll(async () => {
    db = await openTestDatabase()
    peer = await startOpenIdProvider({ users: [], redirectUri: `${siteUrl}/auth/v1/callback` })
    server = await openAuth(db, { settings: { providers: new Map([['keycloak', peer.settings]]) } })
  })
  afterAll(async () => {
    await peer.stop()
    await db.close()
  })

  async function member(email = freshEmail()) {
    const { data } = await server.admin.createUser({ email, password: goodPassword, email_confirm: true })
    const id = data.user?.id ?? ''
    return { email, id, one: await bearerOf(email), two: await bearerOf(email) }
  }
  async function bearerOf(email: string): Promise<string> {
    const { data } = await server.client().signInWithPassword({ email, password: goodPassword })
    return data.session?.access_token ?? ''
  }
  const mailTo = (address: string) => server.mails.findLast(({ to }) => to === address)
  const put = (bearer: string, json: object) => server.request('/user', { method: 'PUT', bearer, json })
  const works = async (email: string, password: string) =>
    (await server.client().signInWithPassword({ email, password })).error === null
  const outcomes = async (answers: Response[]) =>
    (
      await Promise.all(answers.map(async (answer) => (answer.ok ? 'ok' : (await answer.json()).error_code)))
    ).sort()
  const tellTimes = (what: string, table: string, id: string) =>
    db
      .asOwner('test', (tx) =>
        tx.query<{ n: number }>(`select count(*) as n from ${table} where ${what} = $1`, [id]),
      )
      .then(({ rows }) => rows[0]?.n)

  /** Lets requests pass their guards and wait for the account's row, while something else happens to the account. */
  async function meanwhile(
    id: string,
    requests: () => Promise<Response>[],
    work: (tx: Transaction) => Promise<unknown>,
  ) {
    let answers: Promise<Response>[] = []
    await db.asOwner('test', async (tx) => {
      await tx.query('select from auth.users where id = $1 for update', [id])
      answers = requests()
      await waiting(answers.length)
      await work(tx)
    })
    return Promise.all(answers)
  }
  async function waiting(wanted: number): Promise<void> {
    const sql = `select count(*) as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    for (let tries = 0; tries < 200; tries++) {
      const { rows } = await db.asOwner('test', (tx) => tx.query<{ n: number }>(sql))
      if ((rows[0]?.n ?? 0) >= wanted) return
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
    throw new Error('the requests do not wait for the account')
  }

  it('open one link: one gets in', async () => {
    const { email, id } = await member()
    await server.client().signInWithOtp({ email })
    const link = linkIn(mailTo(email)).href
    const before = await tellTimes('user_id', 'auth.sessions', id)
    const answers = await Promise.all([1, 2, 3, 4].map(() => server.fetch(link, { redirect: 'manual' })))
    const landed = answers.map((answer) => answer.headers.get('location') ?? '')
    expect(landed.filter((url) => url.includes('access_token='))).toHaveLength(1)
    expect(landed.filter((url) => url.includes('otp_expired'))).toHaveLength(3)
    expect(await tellTimes('user_id', 'auth.sessions', id)).toBe((before ?? 0) + 1)
  })

  it('type one code: one gets in', async () => {
    const { email } = await member()
    await server.client().signInWithOtp({ email })
    const token = codeIn(mailTo(email))
    const answers = await Promise.all(
      [1, 2, 3].map(() => server.request('/verify', { json: { email, token, type: 'email' } })),
    )
    expect(await outcomes(answers)).toEqual(['ok', 'otp_expired', 'otp_expired'])
  })

  it('exchange one code of a flow: one gets in', async () => {
    const { email } = await member()
    const json = { email, code_challenge: 'v'.repeat(43), code_challenge_method: 'plain' }
    await server.request('/otp', { json })
    const landing = await server.fetch(linkIn(mailTo(email)).href, { redirect: 'manual' })
    const auth_code = new URL(landing.headers.get('location') ?? '').searchParams.get('code')
    const exchange = { auth_code, code_verifier: 'v'.repeat(43) }
    const answers = await Promise.all(
      [1, 2, 3].map(() => server.request('/token?grant_type=pkce', { json: exchange })),
    )
    expect(await outcomes(answers)).toEqual(['flow_state_not_found', 'flow_state_not_found', 'ok'])
  })

  it('begin flows for one mailbox: the link belongs to the flow whose mail it came in', async () => {
    const { email } = await member()
    const begin = (letter: string) =>
      server.request('/otp', {
        json: { email, code_challenge: letter.repeat(43), code_challenge_method: 'plain' },
      })
    await begin('v')
    await begin('t')
    // The first flow is younger by a clock that was set back.
    await db.asOwner('test', (tx) =>
      tx.query(
        `update auth.flow_state set created_at = now() + interval '1 minute' where code_challenge = $1`,
        ['v'.repeat(43)],
      ),
    )
    const landing = await server.fetch(linkIn(mailTo(email)).href, { redirect: 'manual' })
    const auth_code = new URL(landing.headers.get('location') ?? '').searchParams.get('code')
    const use = (letter: string) =>
      server.request('/token?grant_type=pkce', { json: { auth_code, code_verifier: letter.repeat(43) } })
    expect(await outcomes([await use('v')])).toEqual(['bad_code_verifier'])
    expect(await outcomes([await use('t')])).toEqual(['ok'])
  })

  it('change the password from two sessions: the one that lost is out, and changes nothing', async () => {
    const { email, one, two } = await member()
    const answers = await Promise.all([
      put(one, { password: 'password-of-one-1' }),
      put(two, { password: 'password-of-two-2' }),
    ])
    expect(await outcomes(answers)).toEqual(['ok', 'session_not_found'])
    const [first] = answers
    expect(await works(email, 'password-of-one-1')).toBe(first?.ok)
    expect(await works(email, 'password-of-two-2')).toBe(!first?.ok)
  })

  it.each<[what: string, request: (bearer: string) => Promise<Response>]>([
    ['a new password', (bearer) => put(bearer, { password: 'of-the-thief-123' })],
    ['a new address', (bearer) => put(bearer, { email: freshEmail() })],
    ['metadata', (bearer) => put(bearer, { data: { seen: true } })],
    ['a factor', (bearer) => server.request('/factors', { bearer, json: { factor_type: 'totp' } })],
    [
      'an identity',
      async (bearer) => {
        const email = freshEmail()
        const id_token = await peer.idToken({ sub: email, email, email_verified: true })
        const json = { provider: 'keycloak', id_token, link_identity: true }
        return server.request('/token?grant_type=id_token', { bearer, json })
      },
    ],
  ])('change %s in a session that ends meanwhile: it is too late', async (_what, request) => {
    const { id, two } = await member()
    const end = (tx: Transaction) => tx.query('delete from auth.sessions where user_id = $1', [id])
    const [answer] = await meanwhile(id, () => [request(two)], end)
    expect(await outcomes(answer ? [answer] : [])).toEqual(['session_not_found'])
  })

  it('add a factor while the password is being changed without it: the change is refused', async () => {
    const { id, email, two } = await member()
    const enrol = (tx: Transaction) =>
      tx.query(
        `insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
         values (gen_random_uuid(), $1, 'totp', 'verified', now(), now())`,
        [id],
      )
    const [answer] = await meanwhile(id, () => [put(two, { password: 'of-the-thief-123' })], enrol)
    expect(await outcomes(answer ? [answer] : [])).toEqual(['insufficient_aal'])
    expect(await works(email, goodPassword)).toBe(true)
  })

  it('exchange a code while the password is being changed: no session outlives the change', async () => {
    const { id, email, one } = await member()
    const json = { email, code_challenge: 'v'.repeat(43), code_challenge_method: 'plain' }
    await server.request('/otp', { json })
    const landing = await server.fetch(linkIn(mailTo(email)).href, { redirect: 'manual' })
    const auth_code = new URL(landing.headers.get('location') ?? '').searchParams.get('code')
    const exchange = { auth_code, code_verifier: 'v'.repeat(43) }
    const answers = await Promise.all([
      put(one, { password: 'password-of-one-1' }),
      server.request('/token?grant_type=pkce', { json: exchange }),
    ])
    expect(answers.every(({ status }) => status < 500)).toBe(true)
    expect(answers[0]?.status).toBe(200)
    expect(await tellTimes('user_id', 'auth.sessions', id)).toBe(1)
  })

  it('link one identity to two accounts: it is one’s, and the other is told', async () => {
    const [left, right] = [await member(), await member()]
    const sub = freshEmail()
    const id_token = await peer.idToken({ sub, email: freshEmail(), email_verified: true })
    const json = { provider: 'keycloak', id_token, link_identity: true }
    const link = (bearer: string) => server.request('/token?grant_type=id_token', { bearer, json })
    expect(await outcomes(await Promise.all([link(left.one), link(right.one)]))).toEqual([
      'identity_already_exists',
      'ok',
    ])
    expect(await tellTimes('provider_id', 'auth.identities', sub)).toBe(1)
  })

  it('open both mails of a change of address: it happens once, and both get an answer', async () => {
    const { email, one } = await member()
    const newEmail = freshEmail()
    await put(one, { email: newEmail })
    const links = [linkIn(mailTo(email)).href, linkIn(mailTo(newEmail)).href]
    const answers = await Promise.all(links.map((link) => server.fetch(link, { redirect: 'manual' })))
    expect(answers.map(({ status }) => status)).toEqual([303, 303])
    expect(await works(newEmail, goodPassword)).toBe(true)
    expect(await works(email, goodPassword)).toBe(false)
  })

  it('change to one address: the first who proves it has it, the other is told', async () => {
    const [left, right] = [await member(), await member()]
    const wanted = freshEmail()
    await put(left.one, { email: wanted })
    const mailed = mailTo(wanted)
    await put(right.one, { email: wanted })
    const press = (mail = mailTo(wanted)) => server.fetch(linkIn(mail).href, { redirect: 'manual' })
    await press(mailTo(left.email))
    await press(mailTo(right.email))
    const landed = await Promise.all([press(mailed), press()])
    const codes = landed.map((answer) =>
      new URLSearchParams(new URL(answer.headers.get('location') ?? '').hash.slice(1)).get('error_code'),
    )
    expect(codes.sort()).toEqual(['email_exists', null].sort())
  })

  it('sign up with an address and come from a provider with it: one account, and no password of the former', async () => {
    const email = freshEmail()
    const id_token = await peer.idToken({ sub: email, email, email_verified: true })
    const [signedUp, arrived] = await Promise.all([
      server.request('/signup', { json: { email, password: 'of-the-thief-123' } }),
      server.request('/token?grant_type=id_token', { json: { provider: 'keycloak', id_token } }),
    ])
    expect([signedUp.status, arrived.status]).toEqual([200, 200])
    expect(await tellTimes('email', 'auth.users', email)).toBe(1)
    expect(await works(email, 'of-the-thief-123')).toBe(false)
  })

  it('invite somebody who has an account already: nothing of it changes', async () => {
    const { id, email, one } = await member()
    const before = (await server.admin.getUserById(id)).data.user
    const { error } = await server.admin.inviteUserByEmail(email, { data: { name: 'x' } })
    expect(error).toMatchObject({ status: 422, code: 'email_exists' })
    const generated = await server.admin.generateLink({ type: 'invite', email })
    expect(generated.error?.code).toBe('email_exists')
    expect((await server.admin.getUserById(id)).data.user).toEqual(before)
    expect((await server.request('/user', { bearer: one })).status).toBe(200)
  })
})
