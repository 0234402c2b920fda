import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Database } from '#server/database/port.ts'
import { type AuthServer, freshEmail, goodPassword, openAuth, signUpMember } from '#tests/support/auth.ts'
import { openTestDatabase } from '#tests/support/databases.ts'

describe('sign-up and sign-in by password', () => {
  let db: Database
  let server: AuthServer
  /** The same service where nobody has to confirm anything. */
  let easy: AuthServer
  beforeAll(async () => {
    db = await openTestDatabase()
    server = await openAuth(db)
    easy = await openAuth(db, { settings: { autoconfirm: true, anonymous: true } })
  })
  afterAll(() => db.close())

  it('opens a session at once where no confirmation is asked for', async () => {
    const email = freshEmail()
    const client = easy.client()
    const { data, error } = await client.signUp({
      email,
      password: goodPassword,
      options: { data: { name: 'Ada' } },
    })
    expect(error).toBeNull()
    expect(data.session).toMatchObject({ token_type: 'bearer', expires_in: 3600 })
    expect(data.session?.refresh_token).toMatch(/^[a-z0-9]{12}$/)
    expect(data.user).toMatchObject({
      email,
      phone: '',
      aud: 'authenticated',
      role: 'authenticated',
      is_anonymous: false,
    })
    expect(data.user?.user_metadata).toMatchObject({
      name: 'Ada',
      email,
      email_verified: true,
      sub: data.user?.id,
    })
    expect(data.user?.app_metadata).toEqual({ provider: 'email', providers: ['email'] })
    expect(data.user?.identities?.[0]).toMatchObject({ provider: 'email', id: data.user?.id, email })
    expect((await client.getUser()).data.user?.email).toBe(email)
  })

  it('makes the profile with the account', async () => {
    const { data } = await easy.client().signUp({ email: 'Ada.Profile@Example.org', password: goodPassword })
    const profile = await db.asOwner('test', (tx) =>
      tx.query('select email, name, role from public.users where id = $1', [data.user?.id ?? '']),
    )
    expect(profile.rows).toEqual([{ email: 'ada.profile@example.org', name: 'ada.profile', role: 'member' }])
  })

  it('lets getClaims verify the token with the published keys', async () => {
    const { client, user } = await signUpMember(server)
    const { data } = await client.getClaims()
    expect(data?.header).toMatchObject({ alg: 'ES256', typ: 'JWT' })
    expect(data?.claims).toMatchObject({
      iss: 'http://site.example/auth/v1',
      aud: 'authenticated',
      sub: user?.id,
      phone: '',
      role: 'authenticated',
      aal: 'aal1',
      is_anonymous: false,
    })
    expect(data?.claims.amr).toEqual([{ method: 'password', timestamp: expect.any(Number) }])
    expect(data?.claims.session_id).toMatch(/^[\da-f-]{36}$/)
    expect((data?.claims.exp ?? 0) - (data?.claims.iat ?? 0)).toBe(3600)
  })

  it('answers wrong passwords and unknown addresses alike', async () => {
    const { email } = await signUpMember(server)
    const client = server.client()
    const wrong = await client.signInWithPassword({ email, password: 'not the password' })
    const unknown = await client.signInWithPassword({ email: freshEmail(), password: 'not the password' })
    expect(wrong.error).toMatchObject({
      status: 400,
      code: 'invalid_credentials',
      message: 'Invalid login credentials',
    })
    expect(unknown.error).toMatchObject({
      status: 400,
      code: 'invalid_credentials',
      message: wrong.error?.message,
    })
  })

  it('lets an unconfirmed address in only after confirmation, and says so only to who knows the password', async () => {
    const email = freshEmail()
    await server.client().signUp({ email, password: goodPassword })
    const right = await server.client().signInWithPassword({ email, password: goodPassword })
    expect(right.error).toMatchObject({ status: 400, code: 'email_not_confirmed' })
    const wrong = await server.client().signInWithPassword({ email, password: 'not the password' })
    expect(wrong.error?.code).toBe('invalid_credentials')
  })

  it('refuses a second account for an address', async () => {
    const { email } = await signUpMember(server)
    const { error } = await easy.client().signUp({ email: email.toUpperCase(), password: goodPassword })
    expect(error).toMatchObject({ status: 422, code: 'user_already_exists' })
  })

  it('names every reason why a password is weak', async () => {
    const strict = await openAuth(db, {
      settings: {
        password: {
          minLength: 8,
          refuseLeaked: true,
          mustContain: ['abcdefghijklmnopqrstuvwxyz', '0123456789'],
        },
      },
    })
    const { error } = await strict.client().signUp({ email: freshEmail(), password: 'abc' })
    expect(error).toMatchObject({ name: 'AuthWeakPasswordError', status: 422, code: 'weak_password' })
    expect(error).toMatchObject({ reasons: ['length', 'characters'] })
  })

  it('tells at sign-in that a password no longer meets the rules', async () => {
    const { email } = await signUpMember(server)
    const strict = await openAuth(db, {
      settings: { password: { minLength: 30, mustContain: [], refuseLeaked: true } },
    })
    const { data } = await strict.client().signInWithPassword({ email, password: goodPassword })
    expect(data.session).not.toBeNull()
    expect(data.weakPassword).toMatchObject({ reasons: ['length'] })
  })

  it('refuses a password from a well-known leak wherever one is set, and nobody else is asked about it', async () => {
    const weak = { status: 422, code: 'weak_password', reasons: ['pwned'] }
    const { client, user } = await signUpMember(server)
    const outside = vi.spyOn(globalThis, 'fetch')
    const refused = [
      await server.client().signUp({ email: freshEmail(), password: 'Password1' }),
      await client.updateUser({ password: 'Password1' }),
      await server.admin.createUser({ email: freshEmail(), password: 'Password1' }),
      await server.admin.updateUserById(user.id, { password: 'Password1' }),
      await server.admin.generateLink({ type: 'signup', email: freshEmail(), password: 'Password1' }),
    ]
    for (const { error } of refused) expect(error).toMatchObject(weak)
    expect(outside).not.toHaveBeenCalled()
    outside.mockRestore()
  })

  it('lets somebody in with a password that was leaked meanwhile, and says so', async () => {
    const careless = await openAuth(db, {
      settings: { password: { minLength: 8, mustContain: [], refuseLeaked: false } },
    })
    const email = freshEmail()
    await careless.admin.createUser({ email, password: 'Password1', email_confirm: true })
    const { data } = await server.client().signInWithPassword({ email, password: 'Password1' })
    expect(data.session).not.toBeNull()
    expect(data.weakPassword).toMatchObject({ reasons: ['pwned'] })
  })

  it('knows accounts by phone and password', async () => {
    const { error } = await server.admin.createUser({
      phone: '+4915112345678',
      password: goodPassword,
      phone_confirm: true,
    })
    expect(error).toBeNull()
    const { data } = await server
      .client()
      .signInWithPassword({ phone: '+4915112345678', password: goodPassword })
    expect(data.user).toMatchObject({ phone: '4915112345678', email: '' })
  })

  it('opens an anonymous session where that is allowed, and refuses it elsewhere', async () => {
    const { data } = await easy.client().signInAnonymously({ options: { data: { theme: 'dark' } } })
    expect(data.user).toMatchObject({ is_anonymous: true, identities: [], user_metadata: { theme: 'dark' } })
    const refused = await server.client().signInAnonymously()
    expect(refused.error).toMatchObject({ status: 422, code: 'anonymous_provider_disabled' })
  })

  it('refuses sign-ups when they are off, and still lets members in', async () => {
    const { email } = await signUpMember(server)
    const closed = await openAuth(db, { settings: { disableSignup: true } })
    const { error } = await closed.client().signUp({ email: freshEmail(), password: goodPassword })
    expect(error).toMatchObject({ status: 422, code: 'signup_disabled' })
    expect((await closed.client().signInWithPassword({ email, password: goodPassword })).error).toBeNull()
  })
})
