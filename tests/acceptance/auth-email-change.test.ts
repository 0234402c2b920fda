import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/database/port.ts'
import { type AuthServer, freshEmail, goodPassword, linkIn, openAuth, siteUrl } from '#tests/support/auth.ts'
import { openTestDatabase } from '#tests/support/databases.ts'

describe('an e-mail change with PKCE', () => {
  let db: Database
  let server: AuthServer
  beforeAll(async () => {
    db = await openTestDatabase()
    server = await openAuth(db)
  })
  afterAll(() => db.close())

  const mailTo = (address: string) => server.mails.findLast((mail) => mail.to === address)
  const landingOf = async (address: string) => {
    const answer = await server.fetch(linkIn(mailTo(address)).href, { redirect: 'manual' })
    return new URL(answer.headers.get('location') ?? 'about:blank')
  }

  /** A member, signed in through the client whose verifier the change will need. */
  async function changing() {
    const email = freshEmail()
    await server.admin.createUser({ email, password: goodPassword, email_confirm: true })
    const client = server.client('pkce')
    await client.signInWithPassword({ email, password: goodPassword })
    const newEmail = freshEmail()
    const change = { email: newEmail }
    const { error } = await client.updateUser(change, { emailRedirectTo: `${siteUrl}/profile` })
    expect(error).toBeNull()
    return { email, newEmail, client }
  }

  it('needs both mailboxes, and ends in a code that only the asking client can exchange', async () => {
    const { email, newEmail, client } = await changing()
    const first = await landingOf(newEmail)
    expect(first.searchParams.get('code')).toBeNull()
    expect(decodeURIComponent(first.href)).toMatch(/confirm/i)
    const second = await landingOf(email)
    const code = second.searchParams.get('code') ?? ''
    expect(second.pathname).toBe('/profile')
    const thief = server.client('pkce')
    await thief.signInWithOtp({ email: freshEmail() })
    expect((await thief.exchangeCodeForSession(code)).error).toMatchObject({ code: 'bad_code_verifier' })
    const { data, error } = await client.exchangeCodeForSession(code)
    expect(error).toBeNull()
    expect(data.user).toMatchObject({ email: newEmail })
    expect(data.user).not.toHaveProperty('new_email')
  })

  it('does not happen by one mailbox alone', async () => {
    const { email, newEmail } = await changing()
    await landingOf(newEmail)
    const signIn = (address: string) =>
      server.client().signInWithPassword({ email: address, password: goodPassword })
    expect((await signIn(newEmail)).error?.code).toBe('invalid_credentials')
    expect((await signIn(email)).error).toBeNull()
  })
})
