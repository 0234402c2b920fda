import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enqueueEmail, notifyAccountChange } from '#server/auth/emails.ts'
import type { Database } from '#server/database/port.ts'
import { noticeKinds, notices } from '#server/mail/notice-emails.ts'
import { writeNotice } from '#server/mail/write-email.ts'
import {
  type AuthServer,
  codeIn,
  freshEmail,
  goodPassword,
  openAuth,
  signUpMember,
} from '#tests/support/auth.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { addApp } from '#tests/support/second-factor.ts'

describe('who owns an account is told by mail when a way into it changes', () => {
  let db: Database
  let server: AuthServer
  beforeAll(async () => {
    db = await openTestDatabase()
    server = await openAuth(db)
  })
  afterAll(() => db.close())

  const subjectsTo = (address: string) =>
    server.mails.filter(({ to }) => to === address).map(({ subject }) => subject)
  const noticeTo = (address: string) => server.mails.findLast(({ to }) => to === address)?.text ?? ''

  it('a new password, set by the owner or by an admin', async () => {
    const { email, client, user } = await signUpMember(server)
    await client.updateUser({ password: 'something quite new 7' })
    expect(subjectsTo(email)).toEqual(['Your password was changed'])
    expect(noticeTo(email)).toMatch(/This happened on \w+ \d+, \d{4} at \d+:\d\d [AP]M UTC/)
    expect(noticeTo(email)).toContain('If this was not you')
    await server.admin.updateUserById(user?.id ?? '', { password: 'something else again 8' })
    expect(subjectsTo(email)).toHaveLength(2)
  })

  it('a new address, told to the old one, once both have agreed', async () => {
    const { email, client } = await signUpMember(server)
    const newEmail = freshEmail()
    await client.updateUser({ email: newEmail })
    for (const address of [email, newEmail]) {
      const token = codeIn(server.mails.findLast(({ to }) => to === address))
      await client.verifyOtp({ email: address, token, type: 'email_change' })
    }
    expect((await client.getUser()).data.user?.email).toBe(newEmail)
    expect(subjectsTo(email)).toEqual([
      'Is this change of address from you?',
      'Your e-mail address was changed',
    ])
    expect(noticeTo(email)).toContain(newEmail)
    expect(subjectsTo(newEmail)).toEqual(['Please confirm your new address'])
  })

  it('a new address or phone that an admin gave it', async () => {
    const { email, user } = await signUpMember(server)
    const [newEmail, phone] = [freshEmail(), `4915${Date.now() % 10_000_000}`]
    await server.admin.updateUserById(user?.id ?? '', { email: newEmail, phone, email_confirm: true })
    expect(subjectsTo(email).toSorted()).toEqual([
      'Your e-mail address was changed',
      'Your phone number was changed',
    ])
    expect(
      server.mails
        .filter(({ to }) => to === email)
        .some(({ text }) => text.includes(`ends in ${phone.slice(-3)}`)),
    ).toBe(true)
  })

  it('a second factor that comes and goes, and recovery codes', async () => {
    const { email, client } = await signUpMember(server)
    const { factorId } = await addApp(server, client, 'My telephone')
    expect(subjectsTo(email)).toEqual(['A second step was added to your account'])
    expect(noticeTo(email)).toContain('“My telephone”')
    await client.mfa.unenroll({ factorId })
    expect(subjectsTo(email).at(-1)).toBe('A second step was removed from your account')
  })

  it('nobody at an address that was never confirmed', async () => {
    const email = freshEmail()
    const { data } = await server.client().signUp({ email, password: goodPassword })
    await server.admin.updateUserById(data.user?.id ?? '', { password: 'something else again 8' })
    expect(subjectsTo(email)).toEqual(['Please confirm your e-mail address'])
  })

  it('no mail about a change that was undone', async () => {
    const { email } = await signUpMember(server)
    const account = { email, email_confirmed_at: new Date().toISOString() }
    const services = { jobs: server.deps.jobs, now: Date.now }
    const undone = db.asOwner('test', async (tx) => {
      await notifyAccountChange(tx, services, account, 'passwordChanged')
      throw new Error('no')
    })
    await expect(undone).rejects.toThrow('no')
    await server.request('/settings')
    expect(subjectsTo(email)).toEqual([])
  })

  it('even while the installation has sent as many mails as it may', async () => {
    const tight = await openAuth(db, { settings: { mailsPerHour: 1 } })
    // The budget is the installation's: what the others above have sent counts.
    const { email, client, user } = await signUpMember(tight)
    const refused = await tight.request('/recover', { json: { email } })
    expect(refused.status).toBe(429)
    expect(await refused.json()).toMatchObject({ error_code: 'over_email_send_rate_limit' })
    const unknown = await tight.request('/recover', { json: { email: freshEmail() } })
    expect(unknown.status).toBe(429)
    await client.updateUser({ password: 'something quite new 7' })
    expect(tight.mails.map(({ to, subject }) => [to, subject])).toEqual([
      [email, 'Your password was changed'],
    ])

    // What is in the queue already waits, and is no failure.
    const token = { id: user?.id ?? '', code: '', linkSecret: '' }
    await db.asOwner('test', (tx) =>
      enqueueEmail(tx, tight.deps, { kind: 'reauthenticate', to: email, token, pkce: false }),
    )
    await tight.request('/settings')
    const { rows } = await db.asOwner('test', (tx) =>
      tx.query(
        `select state, retry_count, start_after > now() + interval '1 minute' as later from pgboss.job
         where data ->> 'to' = $1 and data ->> 'kind' = 'reauthenticate'`,
        [email],
      ),
    )
    expect(rows).toEqual([{ state: 'created', retry_count: 0, later: true }])
  })

  it.each(noticeKinds)('reads well, with and without a detail: %s', async (kind) => {
    const common = {
      kind,
      to: 'you@example.org',
      at: '2026-03-01T18:05:00Z',
      siteUrl: 'https://site.example',
    }
    const strange = `<b>"x"</b> & co`
    const withDetail = await writeNotice({ ...common, detail: strange })
    expect(withDetail.subject).toBe(notices[kind].subject)
    expect(withDetail.html).not.toContain('<b>')
    expect(withDetail.text).toContain('March 1, 2026 at 6:05 PM UTC')
    expect(withDetail.text.includes(strange)).toBe(notices[kind].body.includes('{detail}'))
    expect((await writeNotice({ ...common, detail: undefined })).text).not.toContain('{detail}')
  })
})
