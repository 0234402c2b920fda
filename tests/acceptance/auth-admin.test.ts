import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/database/port.ts'
import {
  type AuthServer,
  apiKeys,
  codeIn,
  freshEmail,
  goodPassword,
  linkIn,
  openAuth,
  signUpMember,
  siteUrl,
} from '#tests/support/auth.ts'
import { openTestDatabase } from '#tests/support/databases.ts'

/** Of "correct-horse-9", made elsewhere. */
const BCRYPT = '$2b$04$zo8gjYmitLbeIZBERHG23.PW8HG7/fLalxnszYvpC8.43fa2DTt36'

describe('admin calls', () => {
  let db: Database
  let server: AuthServer
  beforeAll(async () => {
    db = await openTestDatabase()
    server = await openAuth(db)
  })
  afterAll(() => db.close())

  it('are refused without the secret key', async () => {
    const { session } = await signUpMember(server)
    const calls: Array<[string, string]> = [
      ['GET', '/admin/users'],
      ['POST', '/admin/users'],
      ['GET', `/admin/users/${randomUUID()}`],
      ['PUT', `/admin/users/${randomUUID()}`],
      ['DELETE', `/admin/users/${randomUUID()}`],
      ['POST', '/admin/generate_link'],
      ['GET', '/admin/audit'],
      ['POST', '/invite'],
    ]
    for (const [method, path] of calls) {
      const body = method === 'GET' ? {} : { body: '{}' }
      const asMember = await server.request(path, { method, bearer: session.access_token, ...body })
      expect([method, path, asMember.status, (await asMember.json()).error_code]).toEqual([
        method,
        path,
        403,
        'not_admin',
      ])
      const asVisitor = await server.request(path, { method, bearer: apiKeys.publishable, ...body })
      expect([path, asVisitor.status]).toEqual([path, 403])
      const bare = await server.app.request(path, { method, ...body })
      expect([path, bare.status]).toEqual([path, 401])
    }
  })

  it('make, read, change and delete a user', async () => {
    const email = freshEmail()
    const created = await server.admin.createUser({
      email,
      password: goodPassword,
      email_confirm: true,
      user_metadata: { name: 'Ada', old: 1 },
      app_metadata: { plan: 'free' },
    })
    expect(created.error).toBeNull()
    const id = created.data.user?.id ?? ''
    expect(created.data.user).toMatchObject({ email, app_metadata: { provider: 'email', plan: 'free' } })
    const changed = await server.admin.updateUserById(id, {
      email: freshEmail(),
      user_metadata: { old: null, city: 'Rome' },
      app_metadata: { plan: 'gold' },
      password: 'something quite new',
    })
    expect(changed.data.user?.user_metadata).toMatchObject({ name: 'Ada', city: 'Rome' })
    expect(changed.data.user?.user_metadata).not.toHaveProperty('old')
    expect(changed.data.user?.app_metadata).toMatchObject({ plan: 'gold', providers: ['email'] })
    const newEmail = changed.data.user?.email ?? ''
    expect(changed.data.user?.email_confirmed_at).toBeTruthy()
    expect(
      (await server.client().signInWithPassword({ email: newEmail, password: 'something quite new' })).error,
    ).toBeNull()
    expect((await server.admin.getUserById(id)).data.user?.email).toBe(newEmail)
    expect((await server.admin.deleteUser(id)).error).toBeNull()
    expect((await server.admin.getUserById(id)).error).toMatchObject({ status: 404, code: 'user_not_found' })
    const profile = await db.asOwner('test', (tx) => tx.query('select from public.users where id = $1', [id]))
    expect(profile.affected).toBe(0)
  })

  it('end the sessions of a user whose password they set', async () => {
    const { client, user } = await signUpMember(server)
    await server.admin.updateUserById(user?.id ?? '', { password: 'something quite new' })
    expect((await client.getUser()).error?.name).toBe('AuthSessionMissingError')
  })

  it('forget a softly deleted user but for the id, and free the address', async () => {
    const { email, client, user } = await signUpMember(server)
    expect((await server.admin.deleteUser(user?.id ?? '', true)).error).toBeNull()
    const { data } = await server.admin.getUserById(user?.id ?? '')
    expect(data.user).toMatchObject({ user_metadata: {}, deleted_at: expect.any(String) })
    expect(JSON.stringify(data.user)).not.toContain(email)
    expect((await client.getUser()).error?.name).toBe('AuthSessionMissingError')
    expect((await server.admin.createUser({ email })).error).toBeNull()
  })

  it.each([
    ['bcrypt', BCRYPT],
    [
      'argon2id',
      '$argon2id$v=19$m=1024,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$s87KBtG16cGCjB61+MHytwaOhSk/R+2x3XKNKmNy1qQ',
    ],
  ])('take over a password as a %s hash', async (kind, hash) => {
    const email = freshEmail()
    const { error } = await server.admin.createUser({ email, password_hash: hash, email_confirm: true })
    expect(error).toBeNull()
    const password = goodPassword
    expect([kind, (await server.client().signInWithPassword({ email, password })).error]).toEqual([
      kind,
      null,
    ])
    expect((await server.client().signInWithPassword({ email, password: 'wrong' })).error?.code).toBe(
      'invalid_credentials',
    )
  })

  it('say who is taken', async () => {
    const { email, user } = await signUpMember(server)
    expect((await server.admin.createUser({ email })).error).toMatchObject({
      status: 422,
      code: 'email_exists',
    })
    await server.admin.createUser({ phone: '4915100000077' })
    const phone = await server.admin.createUser({ phone: '+49 151 0000 0077' })
    expect(phone.error).toMatchObject({ status: 422, code: 'phone_exists' })
    const other = await server.admin.createUser({ email: freshEmail() })
    const update = await server.admin.updateUserById(other.data.user?.id ?? '', { email })
    expect(update.error).toMatchObject({ status: 422, code: 'email_exists' })
    const sameId = await server.admin.createUser({ email: freshEmail(), id: user?.id ?? '' })
    expect(sameId.error).toMatchObject({ status: 400, code: 'validation_failed' })
  })

  it('list users by pages, the newest first, and find them by a part of the address', async () => {
    for (let i = 0; i < 5; i++)
      await server.admin.createUser({ email: `list%${i}-${Date.now()}@paging.example`.replace('%', '_') })
    const first = await server.admin.listUsers({ page: 1, perPage: 3 })
    expect(first.error).toBeNull()
    expect(first.data.users.map((user) => user.email?.slice(0, 6))).toEqual(['list_4', 'list_3', 'list_2'])
    expect(first.data).toMatchObject({ nextPage: 2, total: expect.any(Number) })
    const found = await server.request('/admin/users?filter=list_&per_page=100', { bearer: apiKeys.secret })
    const page = await found.json()
    expect(page.users).toHaveLength(5)
    expect(found.headers.get('x-total-count')).toBe('5')
    expect(found.headers.get('link')).toBe('</admin/users?page=1&per_page=100>; rel="last"')
    const none = await server.request('/admin/users?filter=%25', { bearer: apiKeys.secret })
    expect((await none.json()).users).toEqual([])
  })

  it('invite somebody by mail', async () => {
    const email = freshEmail()
    const { data, error } = await server.admin.inviteUserByEmail(email, {
      data: { team: 'x' },
      redirectTo: `${siteUrl}/hi`,
    })
    expect(error).toBeNull()
    expect(data.user).toMatchObject({ email, invited_at: expect.any(String), user_metadata: { team: 'x' } })
    expect(server.mails.at(-1)).toMatchObject({ to: email, subject: 'You are invited to Walking Together' })
    expect(linkIn(server.mails.at(-1)).searchParams.get('redirect_to')).toBe(`${siteUrl}/hi`)
    const joined = await server
      .client()
      .verifyOtp({ email, token: codeIn(server.mails.at(-1)), type: 'invite' })
    expect(joined.data.session).not.toBeNull()
    expect((await server.admin.inviteUserByEmail(email)).error).toMatchObject({
      status: 422,
      code: 'email_exists',
    })
  })

  it('make links without sending them', async () => {
    const before = server.mails.length
    const email = freshEmail()
    const newEmail = freshEmail()
    const use = async (hash: string, type: 'signup' | 'magiclink' | 'recovery' | 'invite' | 'email_change') =>
      server.client().verifyOtp({ token_hash: hash, type })
    const signup = await server.admin.generateLink({ type: 'signup', email, password: goodPassword })
    expect(signup.data.properties).toMatchObject({
      verification_type: 'signup',
      email_otp: expect.stringMatching(/^\d{6}$/),
      redirect_to: siteUrl,
    })
    expect(new URL(signup.data.properties?.action_link ?? '').searchParams.get('token')).toBe(
      signup.data.properties?.hashed_token,
    )
    expect((await use(signup.data.properties?.hashed_token ?? '', 'signup')).error).toBeNull()
    const recovery = await server.admin.generateLink({
      type: 'recovery',
      email,
      options: { redirectTo: `${siteUrl}/x` },
    })
    expect(recovery.data.properties?.redirect_to).toBe(`${siteUrl}/x`)
    expect((await use(recovery.data.properties?.hashed_token ?? '', 'recovery')).error).toBeNull()
    const magic = await server.admin.generateLink({ type: 'magiclink', email })
    expect((await use(magic.data.properties?.hashed_token ?? '', 'magiclink')).error).toBeNull()
    const current = await server.admin.generateLink({ type: 'email_change_current', email, newEmail })
    expect((await use(current.data.properties?.hashed_token ?? '', 'email_change')).error).toBeNull()
    const fresh = await server.admin.generateLink({ type: 'email_change_new', email, newEmail })
    const changed = await use(fresh.data.properties?.hashed_token ?? '', 'email_change')
    expect(changed.data.user?.email).toBe(newEmail)
    const invitation = await server.admin.generateLink({ type: 'invite', email: freshEmail() })
    expect((await use(invitation.data.properties?.hashed_token ?? '', 'invite')).error).toBeNull()
    const newcomer = await server.admin.generateLink({ type: 'magiclink', email: freshEmail() })
    expect(newcomer.data.properties?.verification_type).toBe('signup')
    // The change of address is told, and none of the links is.
    expect(server.mails.slice(before).map(({ subject }) => subject)).toEqual([
      'Your e-mail address was changed',
    ])
  })

  it('make no links for nobody, nor for who is there already', async () => {
    const { email } = await signUpMember(server)
    const unknown = await server.admin.generateLink({ type: 'recovery', email: freshEmail() })
    expect(unknown.error).toMatchObject({ status: 404, code: 'user_not_found' })
    const known = await server.admin.generateLink({ type: 'signup', email, password: goodPassword })
    expect(known.error).toMatchObject({ status: 422, code: 'email_exists' })
    const invited = await server.admin.generateLink({ type: 'invite', email })
    expect(invited.error).toMatchObject({ status: 422, code: 'email_exists' })
  })

  it('show the history of accounts, without secrets', async () => {
    const { email, session, user } = await signUpMember(server)
    await server.client().signInWithPassword({ email, password: 'not the password' })
    const answer = await server.request('/admin/audit?per_page=3', { bearer: apiKeys.secret })
    const entries = await answer.json()
    expect(entries.map((entry: { payload: { action: string } }) => entry.payload.action)).toEqual([
      'login_failed',
      'login',
      'user_signedup',
    ])
    expect(entries[1]).toMatchObject({
      payload: {
        actor_id: user?.id,
        actor_username: email,
        log_type: 'account',
        traits: { provider: 'email' },
      },
      ip_address: '',
      created_at: expect.stringMatching(/Z$/),
    })
    const everything = await (
      await server.request('/admin/audit?per_page=1000', { bearer: apiKeys.secret })
    ).text()
    for (const secret of [goodPassword, session.refresh_token, session.access_token, '$2b$']) {
      expect(everything).not.toContain(secret)
    }
  })
})
