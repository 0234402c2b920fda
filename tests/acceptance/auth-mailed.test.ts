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
  siteUrl,
} from '#tests/support/auth.ts'
import { openTestDatabase } from '#tests/support/databases.ts'

describe('mailed links and codes', () => {
  let db: Database
  let server: AuthServer
  beforeAll(async () => {
    db = await openTestDatabase()
    server = await openAuth(db)
  })
  afterAll(() => db.close())

  const lastMail = () => server.mails.at(-1)
  const follow = (link: URL, headers: Record<string, string> = {}) =>
    server.fetch(link.href, { redirect: 'manual', headers })
  const landing = (answer: Response) => new URL(answer.headers.get('location') ?? 'about:blank')
  const fragment = (answer: Response) => new URLSearchParams(landing(answer).hash.slice(1))

  it('confirms a sign-up by the code', async () => {
    const email = freshEmail()
    const client = server.client()
    const signedUp = await client.signUp({ email, password: goodPassword })
    expect(signedUp.data.session).toBeNull()
    expect(signedUp.data.user).toMatchObject({ email, confirmation_sent_at: expect.any(String) })
    expect(signedUp.data.user?.identities).toHaveLength(1)
    expect(lastMail()).toMatchObject({ to: email, subject: 'Please confirm your e-mail address' })
    const { data, error } = await client.verifyOtp({ email, token: codeIn(lastMail()), type: 'signup' })
    expect(error).toBeNull()
    expect(data.user).toMatchObject({
      email_confirmed_at: expect.any(String),
      user_metadata: { email_verified: true },
    })
    expect(data.session?.access_token).toBeTruthy()
  })

  it('confirms a sign-up by the link, and lands on the site with the session in the fragment', async () => {
    const email = freshEmail()
    const emailRedirectTo = `${siteUrl}/welcome`
    await server.client().signUp({ email, password: goodPassword, options: { emailRedirectTo } })
    const answer = await follow(linkIn(lastMail()))
    expect(answer.status).toBe(303)
    expect(landing(answer).href).toMatch(/^http:\/\/site\.example\/welcome#access_token=/)
    expect(Object.fromEntries(fragment(answer))).toMatchObject({
      expires_in: '3600',
      token_type: 'bearer',
      type: 'signup',
      sb: '',
    })
    const { data } = await server.client().getUser(fragment(answer).get('access_token') ?? '')
    expect(data.user?.email).toBe(email)
  })

  it('works once only, link or code', async () => {
    const email = freshEmail()
    await server.client().signUp({ email, password: goodPassword })
    const mail = lastMail()
    await follow(linkIn(mail))
    const again = await follow(linkIn(mail))
    expect(Object.fromEntries(fragment(again))).toMatchObject({
      error: 'access_denied',
      error_code: 'otp_expired',
    })
    const { error } = await server.client().verifyOtp({ email, token: codeIn(mail), type: 'signup' })
    expect(error).toMatchObject({ status: 403, code: 'otp_expired' })
  })

  it('does not work after an hour', async () => {
    const later = await openAuth(db)
    const email = freshEmail()
    await later.client().signUp({ email, password: goodPassword })
    later.advance(3601)
    const { error } = await later
      .client()
      .verifyOtp({ email, token: codeIn(later.mails.at(-1)), type: 'signup' })
    expect(error).toMatchObject({ status: 403, code: 'otp_expired' })
  })

  it('answers a sign-up for a known address as for a new one, with nobody and without a mail', async () => {
    const { email } = await signUpMember(server)
    const before = server.mails.length
    const { data, error } = await server.client().signUp({ email, password: goodPassword })
    expect(error).toBeNull()
    expect(data.session).toBeNull()
    const [fresh] = [
      (await server.client().signUp({ email: freshEmail(), password: goodPassword })).data.user,
    ]
    expect(data.user).toMatchObject({ email, identities: [{ provider: 'email', identity_data: { email } }] })
    expect(Object.keys(data.user ?? {})).toEqual(Object.keys(fresh ?? {}))
    server.mails.pop()
    expect(server.mails).toHaveLength(before)
  })

  it('lets whoever signed up last choose the password, once the mail before can no longer be opened', async () => {
    const later = await openAuth(db)
    const email = freshEmail()
    await later.client().signUp({ email, password: 'of somebody earlier' })
    later.advance(3601)
    await later.client().signUp({ email, password: goodPassword })
    await later.fetch(linkIn(later.mails.at(-1)).href, { redirect: 'manual' })
    expect((await later.client().signInWithPassword({ email, password: goodPassword })).error).toBeNull()
    const earlier = await later.client().signInWithPassword({ email, password: 'of somebody earlier' })
    expect(earlier.error?.code).toBe('invalid_credentials')
  })

  it('drops a password that somebody put there before the owner of the mailbox came by a magic link', async () => {
    const email = freshEmail()
    await server.client().signUp({ email, password: 'of an intruder' })
    const owner = server.client()
    await owner.signInWithOtp({ email })
    const { error } = await owner.verifyOtp({ email, token: codeIn(lastMail()), type: 'email' })
    expect(error).toBeNull()
    const intruder = await server.client().signInWithPassword({ email, password: 'of an intruder' })
    expect(intruder.error?.code).toBe('invalid_credentials')
  })

  it('signs in by a mailed code, and makes an account for newcomers', async () => {
    const email = freshEmail()
    const client = server.client()
    expect((await client.signInWithOtp({ email, options: { data: { from: 'otp' } } })).error).toBeNull()
    const { data } = await client.verifyOtp({ email, token: codeIn(lastMail()), type: 'email' })
    expect(data.user).toMatchObject({ email, user_metadata: { from: 'otp' } })
    await client.signInWithOtp({ email })
    expect(lastMail()?.subject).toBe('Your sign-in link')
    const again = await client.verifyOtp({
      token_hash: linkIn(lastMail()).searchParams.get('token') ?? '',
      type: 'magiclink',
    })
    expect(again.data.user?.id).toBe(data.user?.id)
  })

  it('makes no account by a code when told not to, and says nothing of it', async () => {
    const [email, before] = [freshEmail(), server.mails.length]
    const { error } = await server.client().signInWithOtp({ email, options: { shouldCreateUser: false } })
    expect(error).toBeNull()
    expect(server.mails).toHaveLength(before)
    const { affected } = await db.asOwner('test', (tx) =>
      tx.query('select from auth.users where email = $1', [email]),
    )
    expect(affected).toBe(0)
  })

  it('leads to a new password, and answers unknown addresses the same', async () => {
    const { email } = await signUpMember(server)
    const client = server.client()
    expect(await client.resetPasswordForEmail(email, { redirectTo: `${siteUrl}/reset` })).toMatchObject({
      error: null,
    })
    expect(await client.resetPasswordForEmail(freshEmail())).toMatchObject({ error: null })
    const answer = await follow(linkIn(lastMail()))
    expect(fragment(answer).get('type')).toBe('recovery')
    await client.setSession({
      access_token: fragment(answer).get('access_token') ?? '',
      refresh_token: fragment(answer).get('refresh_token') ?? '',
    })
    expect((await client.updateUser({ password: 'a quite different one' })).error).toBeNull()
    expect(
      (await server.client().signInWithPassword({ email, password: 'a quite different one' })).error,
    ).toBeNull()
  })

  it('sends the confirmation once more, and stays silent about everybody else', async () => {
    const email = freshEmail()
    await server.client().signUp({ email, password: goodPassword })
    const first = codeIn(lastMail())
    expect((await server.client().resend({ type: 'signup', email })).error).toBeNull()
    expect((await server.client().verifyOtp({ email, token: first, type: 'signup' })).error?.code).toBe(
      'otp_expired',
    )
    expect(
      (await server.client().verifyOtp({ email, token: codeIn(lastMail()), type: 'signup' })).error,
    ).toBeNull()
    const before = server.mails.length
    expect((await server.client().resend({ type: 'signup', email })).error).toBeNull()
    expect((await server.client().resend({ type: 'signup', email: freshEmail() })).error).toBeNull()
    expect(server.mails).toHaveLength(before)
  })

  it('brings a PKCE flow to its end: link, code, verifier', async () => {
    const email = freshEmail()
    const client = server.client('pkce')
    await client.signUp({
      email,
      password: goodPassword,
      options: { emailRedirectTo: 'https://app.example/done?x=1' },
    })
    expect(linkIn(lastMail()).searchParams.get('token')).toMatch(/^pkce_/)
    const answer = await follow(linkIn(lastMail()))
    const code = landing(answer).searchParams.get('code') ?? ''
    expect(landing(answer).href).toContain('https://app.example/done?x=1')
    expect(landing(answer).hash).toBe('')
    const { data, error } = await client.exchangeCodeForSession(code)
    expect(error).toBeNull()
    expect(data.user?.email).toBe(email)
    const twice = await server.request('/token?grant_type=pkce', {
      json: { auth_code: code, code_verifier: 'x'.repeat(43) },
    })
    expect(twice.status).toBe(404)
    expect(await twice.json()).toMatchObject({ error_code: 'flow_state_not_found' })
  })

  it('refuses a PKCE code to anybody else, and after five minutes', async () => {
    const { email } = await signUpMember(server)
    const later = await openAuth(db)
    const client = later.client('pkce')
    await client.resetPasswordForEmail(email)
    const code = landing(
      await later.fetch(linkIn(later.mails.at(-1)).href, { redirect: 'manual' }),
    ).searchParams.get('code')
    const stolen = await later.request('/token?grant_type=pkce', {
      json: { auth_code: code, code_verifier: 'x'.repeat(43) },
    })
    expect([stolen.status, (await stolen.json()).error_code]).toEqual([400, 'bad_code_verifier'])
    later.advance(301)
    const late = await client.exchangeCodeForSession(code ?? '')
    expect(late.error).toMatchObject({ status: 422, code: 'flow_state_expired' })
  })

  it('sends PKCE failures back in the query as well', async () => {
    const answer = await server.fetch(`${siteUrl}/auth/v1/verify?token=pkce_gone&type=signup`, {
      redirect: 'manual',
    })
    expect(landing(answer).searchParams.get('error_code')).toBe('otp_expired')
    expect(fragment(answer).get('error_code')).toBe('otp_expired')
  })

  it('redirects to the site when the wish is not allowed', async () => {
    for (const wish of [
      'https://evil.example/',
      'javascript:alert(1)',
      'http://site.example@evil.example/',
    ]) {
      await server.client().signInWithOtp({ email: freshEmail(), options: { emailRedirectTo: wish } })
      expect(linkIn(lastMail()).searchParams.get('redirect_to')).toBe(siteUrl)
      const forged = linkIn(lastMail())
      forged.searchParams.set('redirect_to', wish)
      expect(landing(await follow(forged)).origin).toBe(siteUrl)
    }
  })

  it('is not used up by programs that look through mails', async () => {
    const email = freshEmail()
    await server.client().signUp({ email, password: goodPassword })
    const link = linkIn(lastMail())
    expect((await server.fetch(link.href, { method: 'HEAD' })).status).toBe(204)
    expect((await follow(link, { 'sec-purpose': 'prefetch' })).status).toBe(204)
    const page = await follow(link, { accept: 'text/html,*/*' })
    expect(page.status).toBe(200)
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self' http://site.example")
    const html = await page.text()
    expect(html).toContain('<form method="post" action="/auth/v1/verify">')
    const pressed = await server.fetch(`${siteUrl}/auth/v1/verify`, {
      method: 'POST',
      redirect: 'manual',
      body: link.searchParams,
    })
    expect(pressed.status).toBe(303)
    expect(fragment(pressed).get('access_token')).toBeTruthy()
  })
})
