import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/database/port.ts'
import {
  type AuthServer,
  freshEmail,
  goodPassword,
  linkIn,
  openAuth,
  signUpMember,
  siteUrl,
} from '#tests/support/auth.ts'
import { openBrowser } from '#tests/support/browser.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { type OpenIdProvider, type OpenIdUser, startOpenIdProvider } from '#tests/support/openid-provider.ts'

describe('the same address at a provider and here', () => {
  let db: Database
  let peer: OpenIdProvider
  let server: AuthServer
  const users: OpenIdUser[] = []
  beforeAll(async () => {
    db = await openTestDatabase()
    peer = await startOpenIdProvider({ users, redirectUri: `${siteUrl}/auth/v1/callback` })
    server = await openAuth(db, { settings: { providers: new Map([['keycloak', peer.settings]]) } })
  })
  afterAll(async () => {
    await peer.stop()
    await db.close()
  })

  let people = 0
  /** Somebody at the provider signs in here. */
  const arrive = async (email: string, isVerified: boolean) => {
    const sub = `person-${people++}`
    users.push({ sub, email, email_verified: isVerified, name: sub })
    return comeBack(sub)
  }
  const comeBack = async (sub: string) => {
    peer.be(sub)
    const { data } = await server.client().signInWithOAuth({ provider: 'keycloak' })
    const { fragment } = await openBrowser(server).go(data.url ?? '')
    const { data: account } = await server.client().getUser(fragment.get('access_token') ?? 'none')
    return { sub, user: account.user, code: fragment.get('error_code') }
  }
  const signUp = (email: string, password: string) => server.client().signUp({ email, password })
  const passwordWorks = async (email: string, password = goodPassword) =>
    (await server.client().signInWithPassword({ email, password })).error === null
  const press = (mail = server.mails.at(-1)) => server.fetch(linkIn(mail).href, { redirect: 'manual' })

  it('is one account when both have verified it, and the password goes on', async () => {
    const member = await signUpMember(server)
    const { user } = await arrive(member.email, true)
    expect(user?.id).toBe(member.user?.id)
    expect(user?.app_metadata).toMatchObject({ provider: 'email', providers: ['email', 'keycloak'] })
    expect(user?.identities?.map((identity) => identity.provider)).toEqual(['email', 'keycloak'])
    expect(await passwordWorks(member.email)).toBe(true)
  })

  it('is found however it is written', async () => {
    const member = await signUpMember(server)
    const { user } = await arrive(member.email.toUpperCase(), true)
    expect(user?.id).toBe(member.user?.id)
  })

  it('opens nothing when the provider has not verified it, and tells no more than for a new address', async () => {
    const member = await signUpMember(server)
    const mails = server.mails.length
    const taken = await arrive(member.email, false)
    expect(taken).toMatchObject({ user: null, code: 'provider_email_needs_verification' })
    expect(server.mails.length).toBe(mails)
    expect((await arrive(freshEmail(), false)).code).toBe(taken.code)
    const { data } = await member.client.getUser()
    expect(data.user?.identities).toHaveLength(1)
  })

  it('takes an account that was made in advance away from whoever made it', async () => {
    const email = freshEmail()
    await signUp(email, 'password-of-the-thief-1')
    const stale = server.mails.at(-1)
    const { user } = await arrive(email, true)
    expect(user?.identities?.map((identity) => identity.provider)).toEqual(['keycloak'])
    expect(user?.user_metadata.full_name).toMatch(/^person-/)
    expect(await passwordWorks(email, 'password-of-the-thief-1')).toBe(false)
    expect((await press(stale)).headers.get('location')).toContain('otp_expired')
  })

  it('leaves no way in to whoever claimed it at a provider, once its owner signs up', async () => {
    const email = freshEmail()
    const thief = await arrive(email, false)
    server.advance(3601)
    await signUp(email, goodPassword)
    await press()
    expect(await passwordWorks(email)).toBe(true)
    expect(await comeBack(thief.sub)).toMatchObject({ user: null, code: 'provider_email_needs_verification' })
  })

  it('leaves none either when its owner signs in by a mailed link', async () => {
    const email = freshEmail()
    const thief = await arrive(email, false)
    await server.client().signInWithOtp({ email })
    await press()
    expect(await comeBack(thief.sub)).toMatchObject({ user: null, code: 'provider_email_needs_verification' })
  })

  it('is confirmed by the mail that the provider’s sign-in has sent', async () => {
    const { sub } = await arrive(freshEmail(), false)
    await press()
    const { user } = await comeBack(sub)
    expect(user?.email_confirmed_at).toBeTruthy()
  })

  it('is not enough of a proof against an account that a phone’s owner has', async () => {
    const email = freshEmail()
    const phone = `49151${Date.now()}`.slice(0, 13)
    await server.admin.createUser({ email, phone, phone_confirm: true })
    expect((await arrive(email, true)).code).toBe('email_exists')
  })

  it('does not let somebody in who was banned', async () => {
    const member = await signUpMember(server)
    const { sub } = await arrive(member.email, true)
    await server.admin.updateUserById(member.user?.id ?? '', { ban_duration: '24h' })
    expect((await comeBack(sub)).code).toBe('user_banned')
  })

  it('does not matter any more once the identity is known', async () => {
    const { sub, user } = await arrive(freshEmail(), true)
    const moved = users.find((known) => known.sub === sub)
    Object.assign(moved ?? {}, { email: freshEmail() })
    const later = await comeBack(sub)
    expect(later.user?.id).toBe(user?.id)
    expect(later.user?.email).toBe(user?.email)
    expect(later.user?.identities?.[0]?.identity_data?.email).toBe(moved?.email)
  })

  it('makes one account when two browsers arrive at the same moment', async () => {
    const email = freshEmail()
    const [one, two] = await Promise.all([arrive(email, true), arrive(email, true)])
    const ids = [one, two].flatMap(({ user }) => user?.id ?? [])
    expect(new Set(ids).size).toBe(1)
  })
})
