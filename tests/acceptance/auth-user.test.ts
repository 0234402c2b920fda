import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/database/port.ts'
import {
  type AuthServer,
  codeIn,
  freshEmail,
  goodPassword,
  linkIn,
  openAuth,
  signUpMember,
} from '#tests/support/auth.ts'
import { openTestDatabase } from '#tests/support/databases.ts'

describe('what members change about themselves', () => {
  let db: Database
  let server: AuthServer
  beforeAll(async () => {
    db = await openTestDatabase()
    server = await openAuth(db)
  })
  afterAll(() => db.close())

  const mailTo = (address: string) => server.mails.findLast((mail) => mail.to === address)

  it('merges metadata, and takes out what is set to null', async () => {
    const { client } = await signUpMember(server)
    await client.updateUser({ data: { theme: 'dark', size: 2 } })
    const { data } = await client.updateUser({ data: { size: null, more: ['x'] } })
    expect(data.user?.user_metadata).toMatchObject({ theme: 'dark', more: ['x'] })
    expect(data.user?.user_metadata).not.toHaveProperty('size')
  })

  it('holds no more metadata than a token can carry, not even bit by bit', async () => {
    const { client } = await signUpMember(server)
    expect((await client.updateUser({ data: { a: 'x'.repeat(9000) } })).error).toBeNull()
    const more = await client.updateUser({ data: { b: 'x'.repeat(9000) } })
    expect(more.error).toMatchObject({ status: 400, code: 'validation_failed' })
  })

  it('never lets a member write what only the owner may', async () => {
    const { client, session } = await signUpMember(server)
    await server.request('/user', {
      method: 'PUT',
      bearer: session.access_token,
      json: { role: 'service_role', app_metadata: { admin: true }, email_confirm: true, is_anonymous: true },
    })
    const { data } = await client.getUser()
    expect(data.user).toMatchObject({ role: 'authenticated', is_anonymous: false })
    expect(data.user?.app_metadata).toEqual({ provider: 'email', providers: ['email'] })
  })

  it('changes the password, and signs out everybody who knew the old one', async () => {
    const { email, client } = await signUpMember(server)
    const other = server.client()
    await other.signInWithPassword({ email, password: goodPassword })
    expect((await client.updateUser({ password: goodPassword })).error).toMatchObject({
      status: 422,
      code: 'same_password',
    })
    expect((await client.updateUser({ password: 'short' })).error).toMatchObject({
      status: 422,
      code: 'weak_password',
    })
    expect((await client.updateUser({ password: 'something quite new' })).error).toBeNull()
    expect((await other.getUser()).error?.name).toBe('AuthSessionMissingError')
    expect((await client.getUser()).error).toBeNull()
  })

  it('asks for a mailed code before a new password where the owner wants that', async () => {
    const careful = await openAuth(db, { settings: { reauthenticate: true }, lifetimeSeconds: 200_000 })
    const { client, email } = await signUpMember(careful)
    careful.advance(86_401)
    expect((await client.updateUser({ password: 'something quite new' })).error?.code).toBe(
      'reauthentication_needed',
    )
    expect((await client.reauthenticate()).error).toBeNull()
    const mail = careful.mails.at(-1)
    expect(mail).toMatchObject({ to: email, subject: 'Your confirmation code' })
    expect(linkIn(mail).href).toBe('about:blank')
    const wrong = await client.updateUser({ password: 'something quite new', nonce: 'abcdef' })
    expect(wrong.error).toMatchObject({ status: 422, code: 'reauthentication_not_valid' })
    expect(
      (await client.updateUser({ password: 'something quite new', nonce: codeIn(mail) })).error,
    ).toBeNull()
    const again = await client.updateUser({ password: 'something else again', nonce: codeIn(mail) })
    expect(again.error?.code).toBe('reauthentication_not_valid')
  })

  it('changes the address when both mailboxes have agreed, in either order', async () => {
    const { email, client, user } = await signUpMember(server)
    const newEmail = freshEmail()
    const { data } = await client.updateUser({ email: newEmail })
    expect(data.user).toMatchObject({ email, new_email: newEmail })
    expect(mailTo(email)?.text).toContain(newEmail)
    const first = await client.verifyOtp({
      email: newEmail,
      token: codeIn(mailTo(newEmail)),
      type: 'email_change',
    })
    expect(first).toMatchObject({ error: null, data: { session: null } })
    expect((await client.getUser()).data.user?.email).toBe(email)
    const second = await client.verifyOtp({ email, token: codeIn(mailTo(email)), type: 'email_change' })
    expect(second.data.user).toMatchObject({ id: user?.id, email: newEmail })
    expect(second.data.user?.identities?.[0]?.identity_data).toMatchObject({
      email: newEmail,
      email_verified: true,
    })
    const profile = await db.asOwner('test', (tx) =>
      tx.query('select email from public.users where id = $1', [user?.id ?? '']),
    )
    expect(profile.rows).toEqual([{ email: newEmail }])
    expect(
      (await server.client().signInWithPassword({ email: newEmail, password: goodPassword })).error,
    ).toBeNull()
  })

  it('changes the address by the links as well, telling in between what is missing', async () => {
    const { email, client } = await signUpMember(server)
    const newEmail = freshEmail()
    await client.updateUser({ email: newEmail })
    const open = async (address: string) =>
      (await server.fetch(linkIn(mailTo(address)).href, { redirect: 'manual' })).headers.get('location') ?? ''
    expect(await open(email)).toMatch(/#message=Confirmation\+link\+accepted/)
    expect(await open(newEmail)).toMatch(/#access_token=/)
    expect((await client.getUser()).data.user?.email).toBe(newEmail)
  })

  it('does not take an address that somebody has', async () => {
    const { email } = await signUpMember(server)
    const { client } = await signUpMember(server)
    expect((await client.updateUser({ email })).error).toMatchObject({ status: 422, code: 'email_exists' })
  })

  it('refuses a change of address that somebody else has taken meanwhile', async () => {
    const { email, client } = await signUpMember(server)
    const newEmail = freshEmail()
    await client.updateUser({ email: newEmail })
    await client.verifyOtp({ email, token: codeIn(mailTo(email)), type: 'email_change' })
    await server.admin.createUser({ email: newEmail, email_confirm: true })
    const { error } = await client.verifyOtp({
      email: newEmail,
      token: codeIn(mailTo(newEmail)),
      type: 'email_change',
    })
    expect(error).toMatchObject({ status: 422, code: 'email_exists' })
  })

  it('sends both mails of a change of address once more', async () => {
    const { email, client } = await signUpMember(server)
    const newEmail = freshEmail()
    await client.updateUser({ email: newEmail })
    const before = codeIn(mailTo(newEmail))
    expect((await client.resend({ type: 'email_change', email })).error).toBeNull()
    const old = await client.verifyOtp({ email: newEmail, token: before, type: 'email_change' })
    expect(old.error?.code).toBe('otp_expired')
    const fresh = await client.verifyOtp({
      email: newEmail,
      token: codeIn(mailTo(newEmail)),
      type: 'email_change',
    })
    expect(fresh.error).toBeNull()
  })

  it('adds a phone by a code, which then signs in too', async () => {
    const { client } = await signUpMember(server)
    const phone = '4915100000001'
    const { data } = await client.updateUser({ phone: `+${phone}` })
    expect(data.user).toMatchObject({ phone: '', new_phone: phone })
    const { data: changed, error } = await client.verifyOtp({
      phone,
      token: server.texts.at(-1)?.code ?? '',
      type: 'phone_change',
    })
    expect(error).toBeNull()
    expect(changed.user).toMatchObject({ phone, app_metadata: { providers: ['email', 'phone'] } })
    expect((await server.client().signInWithPassword({ phone, password: goodPassword })).error).toBeNull()
  })

  it('turns an anonymous visitor into a member', async () => {
    const easy = await openAuth(db, { settings: { anonymous: true } })
    const client = easy.client()
    const { data } = await client.signInAnonymously()
    expect((await client.updateUser({ password: goodPassword })).error).toMatchObject({ status: 422 })
    const email = freshEmail()
    await client.updateUser({ email })
    const confirmed = await client.verifyOtp({
      email,
      token: codeIn(easy.mails.at(-1)),
      type: 'email_change',
    })
    expect(confirmed.data.user).toMatchObject({ id: data.user?.id, email, is_anonymous: false })
    expect(confirmed.data.user?.app_metadata).toMatchObject({ provider: 'email', providers: ['email'] })
  })
})
