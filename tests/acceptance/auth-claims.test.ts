import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ensureAdmin } from '#server/backend/first-admin.ts'
import type { Database } from '#server/database/port.ts'
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

const evil = 'password-of-the-thief-1'

describe('an account that somebody made in advance with another person’s address', () => {
  let db: Database
  let peer: OpenIdProvider
  let server: AuthServer
  let email: string
  beforeAll(async () => {
    db = await openTestDatabase()
    peer = await startOpenIdProvider({ users: [], redirectUri: `${siteUrl}/auth/v1/callback` })
  })
  beforeEach(async () => {
    server = await openAuth(db, { settings: { providers: new Map([['keycloak', peer.settings]]) } })
    email = freshEmail()
    await signUp(evil, { name: 'Thief', role: 'boss' })
    await plant()
  })
  afterAll(async () => {
    await peer.stop()
    await db.close()
  })

  const signUp = (password: string, data = {}) =>
    server.client().signUp({ email, password, options: { data } })
  const lastMail = () => server.mails.findLast(({ to }) => to === email)
  const press = (mail = lastMail()) => server.fetch(linkIn(mail).href, { redirect: 'manual' })
  const errorOf = (answer: Response) =>
    new URLSearchParams(new URL(answer.headers.get('location') ?? '').hash.slice(1)).get('error_code')
  const works = async (password: string) =>
    (await server.client().signInWithPassword({ email, password })).error === null
  const rows = async (sql: string) =>
    (await db.asOwner('test', (tx) => tx.query<{ found: string }>(sql, [email]))).rows
  /** Whatever else may have got into it, by any way that there is or was. */
  const plant = () =>
    db.asOwner('test', async (tx) => {
      const user = `(select id from auth.users where email = '${email}')`
      await tx.script(`
        insert into auth.identities (provider_id, user_id, identity_data, provider, created_at, updated_at)
          values ('thief-${email}', ${user}, '{"email": "${email}", "email_verified": false}', 'keycloak', now(), now());
        insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
          values (gen_random_uuid(), ${user}, 'totp', 'verified', now(), now());
        insert into auth.webauthn_credentials (user_id, credential_id, public_key)
          values (${user}, convert_to('${email}', 'UTF8'), 'key');
        insert into auth.sessions (id, user_id, created_at, updated_at, aal)
          values (gen_random_uuid(), ${user}, now(), now(), 'aal1');
        insert into auth.flow_state (id, user_id, auth_code, code_challenge, code_challenge_method, provider_type,
          authentication_method, auth_code_issued_at, created_at)
          values (gen_random_uuid(), ${user}, '${email}', repeat('a', 43), 'plain', 'email', 'otp', now(), now());
        update auth.users set phone_change = '4915111111111', email_change = 'thief@example.org' where email = '${email}';
      `)
    })

  /** Nothing of the thief is left, whichever way the owner came. */
  async function expectClaimed(provider = 'email') {
    expect(await works(evil)).toBe(false)
    const [left] = await rows(`
      select (select string_agg(provider, ',') from auth.identities where user_id = u.id) as found,
        (select count(*) from auth.mfa_factors where user_id = u.id) as factors,
        (select count(*) from auth.webauthn_credentials where user_id = u.id) as passkeys,
        (select count(*) from auth.sessions s where user_id = u.id and user_agent is null) as sessions,
        (select count(*) from auth.flow_state where user_id = u.id and auth_code = u.email) as codes,
        email_change, phone_change, raw_user_meta_data ->> 'role' as role, coalesce(raw_user_meta_data ->> 'name', '') as name,
        confirmed_at is not null as confirmed
      from auth.users u where email = $1`)
    expect(left).toMatchObject({
      found: provider,
      factors: 0,
      passkeys: 0,
      sessions: 0,
      codes: 0,
      email_change: '',
      phone_change: '',
      role: null,
      confirmed: true,
    })
    expect(left).not.toMatchObject({ name: 'Thief' })
  }

  it('is empty when the owner opens an invitation', async () => {
    await server.admin.inviteUserByEmail(email, { data: { team: 'blue' } })
    await press()
    await expectClaimed()
    const { data } = await server.admin.listUsers({ perPage: 1000 })
    expect(data.users.find((user) => user.email === email)?.user_metadata).toMatchObject({ team: 'blue' })
  })

  it('is empty when the owner opens an invitation after one more sign-up of the thief', async () => {
    await server.admin.inviteUserByEmail(email, { data: { team: 'blue' } })
    const invitation = lastMail()
    await signUp(evil, { role: 'boss' })
    expect(errorOf(await press(invitation))).toBeNull()
    await expectClaimed()
  })

  it('is empty when the owner opens the mail of the thief’s sign-up that came after the invitation', async () => {
    await server.admin.inviteUserByEmail(email)
    await signUp(evil, { role: 'boss' })
    await press()
    await expectClaimed()
  })

  it('is empty when the owner opens an invitation that the site’s owner sends by themselves', async () => {
    const { data } = await server.admin.generateLink({ type: 'invite', email })
    await server.client().verifyOtp({ token_hash: data.properties?.hashed_token ?? '', type: 'invite' })
    await expectClaimed()
  })

  it('is empty when the owner signs in by a mailed link, and the sign-up’s own link is void', async () => {
    const stale = lastMail()
    await server.client().signInWithOtp({ email })
    expect(errorOf(await press(stale))).toBe('otp_expired')
    await press()
    await expectClaimed()
  })

  it('is empty when the owner signs in by a mailed code', async () => {
    await server.client().signInWithOtp({ email })
    await server.client().verifyOtp({ email, token: codeIn(lastMail()), type: 'email' })
    await expectClaimed()
  })

  it('is empty when the owner asks for a new password', async () => {
    const stale = lastMail()
    const client = server.client('pkce')
    await client.resetPasswordForEmail(email)
    expect(errorOf(await press(stale))).toBe('otp_expired')
    const landing = new URL((await press()).headers.get('location') ?? '')
    const { error } = await client.exchangeCodeForSession(landing.searchParams.get('code') ?? '')
    expect(error).toBeNull()
    await expectClaimed()
  })

  it.each(['magiclink', 'recovery'] as const)('is empty after a link of the kind %s', async (type) => {
    const { data } = await server.admin.generateLink({ type, email })
    await server.client().verifyOtp({ token_hash: data.properties?.hashed_token ?? '', type })
    await expectClaimed()
  })

  it('has the password that the site’s owner chose for it', async () => {
    const { data } = await server.admin.generateLink({ type: 'signup', email, password: goodPassword })
    await server.client().verifyOtp({ token_hash: data.properties?.hashed_token ?? '', type: 'signup' })
    await expectClaimed()
    expect(await works(goodPassword)).toBe(true)
  })

  it('is empty when the owner comes from a provider that has verified the address', async () => {
    const token = await peer.idToken({ sub: `owner-${email}`, email, email_verified: true })
    const { error } = await server.client().signInWithIdToken({ provider: 'keycloak', token })
    expect(error).toBeNull()
    await expectClaimed('keycloak')
    const thief = await peer.idToken({ sub: `thief-${email}`, email, email_verified: false })
    const again = await server.client().signInWithIdToken({ provider: 'keycloak', token: thief })
    expect(again.error?.code).toBe('provider_email_needs_verification')
  })

  it('is empty when the identity in it turns out to be the owner’s', async () => {
    const token = await peer.idToken({ sub: `thief-${email}`, email, email_verified: true })
    await server.client().signInWithIdToken({ provider: 'keycloak', token })
    await expectClaimed('keycloak')
  })

  it('is empty when it becomes the first admin', async () => {
    await ensureAdmin(db, { email, password: goodPassword })
    await expectClaimed()
    expect(await works(goodPassword)).toBe(true)
  })

  it('is empty when an admin gives it another address, and vouches for that', async () => {
    const [user] = await rows('select id as found from auth.users where email = $1')
    email = freshEmail()
    await server.admin.updateUserById(user?.found ?? '', { email, email_confirm: true })
    await expectClaimed()
  })

  it('has nobody’s password when two sign-ups waited at once, whichever mail is opened', async () => {
    const first = lastMail()
    await signUp(goodPassword)
    expect(errorOf(await press(first))).toBe('otp_expired')
    await signUp(evil, { role: 'boss' })
    await signUp(evil, { role: 'boss' })
    await press()
    await expectClaimed()
    expect(await works(goodPassword)).toBe(false)
    // Its owner is in by the link, and chooses one.
    const owner = server.client()
    await owner.resetPasswordForEmail(email)
    await owner.verifyOtp({ email, token: codeIn(lastMail()), type: 'recovery' })
    expect((await owner.updateUser({ password: goodPassword })).error).toBeNull()
    expect(await works(goodPassword)).toBe(true)
  })

  it('keeps the password of somebody who only asked for the mail once more', async () => {
    email = freshEmail()
    await signUp(goodPassword)
    await signUp(goodPassword)
    await press()
    expect(await works(goodPassword)).toBe(true)
  })

  it('does not keep its address from somebody who proves it for another account', async () => {
    const mine = freshEmail()
    await server.admin.createUser({ email: mine, password: goodPassword, email_confirm: true })
    const client = server.client()
    await client.signInWithPassword({ email: mine, password: goodPassword })
    expect((await client.updateUser({ email })).error).toBeNull()
    await press(server.mails.findLast(({ to }) => to === mine))
    await press(lastMail())
    expect((await client.getUser()).data.user?.email).toBe(email)
    expect(await works(evil)).toBe(false)
    expect(await works(goodPassword)).toBe(true)
  })
})
