import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { simpleParser } from 'mailparser'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Database } from '#server/database/port.ts'
import { MailNotSent, openMailer, openSmtp } from '#server/mail/mailer.ts'
import { type AuthServer, freshEmail, goodPassword, openAuth, signUpMember } from '#tests/support/auth.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { startSmtp, type TestSmtp } from '#tests/support/smtp.ts'

const log = pino({ level: 'silent' })
const from = 'hello@example.org'
const mailerFor = (smtpUrl: string) => openMailer({ smtpUrl, dataDir: '', from }, log)

describe('mail through a real server', () => {
  let db: Database
  let smtp: TestSmtp
  let server: AuthServer
  beforeAll(async () => {
    db = await openTestDatabase()
    smtp = await startSmtp()
    server = await openAuth(db, { mailer: mailerFor(smtp.url), settings: { mailInterval: 60 } })
  })
  afterAll(async () => {
    await smtp.stop()
    await db.close()
  })

  const mailTo = (address: string) => smtp.mails.findLast((mail) => [mail.to].flat()[0]?.text === address)

  it('arrives in text and HTML, with the link and the code in both', async () => {
    const email = freshEmail()
    const client = server.client()
    await client.signUp({ email, password: goodPassword })
    const mail = mailTo(email)
    expect(mail).toMatchObject({
      subject: 'Please confirm your e-mail address',
      from: { text: `"Walking Together" <${from}>` },
    })
    const code = /^\d{6}$/m.exec(mail?.text ?? '')?.[0] ?? ''
    const link = /http:\/\/site\.example\/auth\/v1\/verify\?\S+/.exec(mail?.text ?? '')?.[0] ?? ''
    expect(mail?.html).toContain(code)
    expect(mail?.html).toContain(link.replaceAll('&', '&amp;'))
    expect((await client.verifyOtp({ email, token: code, type: 'signup' })).error).toBeNull()
  })

  it.each([
    ['magiclink', 'Your sign-in link', (email: string) => server.client().signInWithOtp({ email })],
    ['recovery', 'Choose a new password', (email: string) => server.client().resetPasswordForEmail(email)],
  ])('is written for its purpose: %s', async (type, subject, ask) => {
    const { email } = await signUpMember(server)
    await ask(email)
    expect(mailTo(email)?.subject).toBe(subject)
    expect(mailTo(email)?.text).toContain(`type=${type}`)
  })

  it('shows what strangers chose as text, never as HTML or as headers', async () => {
    const { email, client } = await signUpMember(server)
    const strange = `a&b'${freshEmail()}`
    await client.updateUser({ email: strange })
    expect(mailTo(email)?.html).toContain(strange.replaceAll('&', '&amp;').replaceAll("'", '&#x27;'))
    expect(mailTo(email)?.text).toContain(strange)
  })

  const mailsTo = (address: string) => smtp.mails.filter((mail) => [mail.to].flat()[0]?.text === address)
  const soon = { timeout: 30_000, interval: 50 }
  /** While nothing can be sent, what is written is kept. */
  const whileDown = async (work: () => Promise<void>) => {
    smtp.refuse(true)
    await work().finally(() => smtp.refuse(false))
  }

  it('is not lost while the server takes none: it comes once, later, and works', async () => {
    const email = freshEmail()
    await whileDown(async () => {
      const { data, error } = await server.client().signUp({ email, password: goodPassword })
      expect(error).toBeNull()
      expect(data.user).toMatchObject({ email, confirmation_sent_at: expect.any(String) })
      expect(mailsTo(email)).toEqual([])
    })
    await vi.waitFor(() => expect(mailsTo(email)).toHaveLength(1), soon)
    const code = /^\d{6}$/m.exec(mailTo(email)?.text ?? '')?.[0] ?? ''
    expect((await server.client().verifyOtp({ email, token: code, type: 'signup' })).error).toBeNull()
    expect(mailsTo(email)).toHaveLength(1)
  }, 40_000)

  it('that comes late is good for an hour from then', async () => {
    const { email } = await signUpMember(server)
    await whileDown(async () => {
      await server.client().resetPasswordForEmail(email)
      server.advance(2 * 3600)
    })
    await vi.waitFor(() => expect(mailsTo(email)).toHaveLength(1), soon)
    const code = /^\d{6}$/m.exec(mailTo(email)?.text ?? '')?.[0] ?? ''
    expect((await server.client().verifyOtp({ email, token: code, type: 'recovery' })).error).toBeNull()
  }, 40_000)

  it('is not sent when its link was replaced or withdrawn meanwhile', async () => {
    const relaxed = await openAuth(db, { mailer: mailerFor(smtp.url) })
    const { email } = await signUpMember(relaxed)
    await whileDown(async () => {
      await relaxed.client().resetPasswordForEmail(email)
      await relaxed.client().resetPasswordForEmail(email)
    })
    await vi.waitFor(() => expect(mailsTo(email)).toHaveLength(1), soon)
    // The first one is looked at again after the second was sent.
    await vi.waitFor(async () => expect(await waitingJobs(email)).toBe(0), soon)
    expect(mailsTo(email)).toHaveLength(1)
    const code = /^\d{6}$/m.exec(mailTo(email)?.text ?? '')?.[0] ?? ''
    expect((await relaxed.client().verifyOtp({ email, token: code, type: 'recovery' })).error).toBeNull()
  }, 60_000)

  it('keeps neither code nor link in the database while it waits', async () => {
    const { email } = await signUpMember(server)
    let waiting = ''
    await whileDown(async () => {
      await server.client().resetPasswordForEmail(email)
      const { rows } = await db.asOwner('test', (tx) =>
        tx.query<{ job: string }>(`select j::text as job from pgboss.job j where data ->> 'to' = $1`, [
          email,
        ]),
      )
      waiting = rows[0]?.job ?? ''
      expect(waiting).toContain(email)
    })
    await vi.waitFor(() => expect(mailsTo(email)).toHaveLength(1), soon)
    const text = mailTo(email)?.text ?? ''
    const code = /^\d{6}$/m.exec(text)?.[0] ?? 'no code'
    const secret = /[?&]token=([^&\s]+)/.exec(text)?.[1] ?? 'no link'
    expect(code).toMatch(/^\d{6}$/)
    expect(waiting).not.toContain(code)
    expect(waiting).not.toContain(secret)
    // The mail is here before the service has noted that it is gone.
    await vi.waitFor(async () => expect(await waitingJobs(email)).toBe(0), soon)
  }, 40_000)

  it('to a mailbox that does not exist is given up at once, with the server’s reason', async () => {
    const email = freshEmail()
    smtp.bounce(email)
    expect((await server.client().signUp({ email, password: goodPassword })).error).toBeNull()
    const { rows } = await db.asOwner('test', (tx) =>
      tx.query<{ state: string; retry_count: number; output: { message: string } }>(
        `select state, retry_count, output from pgboss.job where data ->> 'to' = $1`,
        [email],
      ),
    )
    expect(rows).toMatchObject([{ state: 'failed', retry_count: 0 }])
    expect(rows[0]?.output.message).toContain('550 no such mailbox')
  })

  it('is asked for by a call that is undone: then there is none', async () => {
    const { email, client } = await signUpMember(server)
    const taken = await signUpMember(server)
    const change = { email: taken.email, password: 'something quite new', data: { a: 1 } }
    expect((await client.updateUser(change)).error?.code).toBe('email_exists')
    expect(mailsTo(taken.email)).toEqual([])
    expect(await waitingJobs(taken.email)).toBe(0)
    expect((await server.client().signInWithPassword({ email, password: goodPassword })).error).toBeNull()
  })

  it('does not tell by a failure who has an account', async () => {
    const { email } = await signUpMember(server)
    const away = await openAuth(db, { mailer: mailerFor('smtp://127.0.0.1:1') })
    const known = await away.client().resetPasswordForEmail(email)
    const unknown = await away.client().resetPasswordForEmail(freshEmail())
    expect(known.error).toBeNull()
    expect(unknown.error).toBeNull()
  })

  const waitingJobs = (address: string) =>
    db.asOwner('test', async (tx) => {
      const { affected } = await tx.query(`select from pgboss.job where data ->> 'to' = $1`, [address])
      return affected
    })

  it('waits a minute between two mails to one address, whether it has an account or not', async () => {
    const { email } = await signUpMember(server)
    for (const address of [email, freshEmail()]) {
      expect((await server.client().resetPasswordForEmail(address)).error).toBeNull()
      const again = await server.request('/recover', { json: { email: address } })
      expect(again.status).toBe(429)
      expect(Number(again.headers.get('retry-after'))).toBeGreaterThan(50)
      expect(await again.json()).toMatchObject({
        error_code: 'over_email_send_rate_limit',
        msg: expect.stringMatching(/^For security purposes, you can only request this after \d+ seconds\.$/),
      })
    }
  })
})

it('without a server becomes an .eml file, which only its owner may read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'walking-together-outbox-'))
  const mailer = openMailer({ smtpUrl: undefined, dataDir: folder, from }, log)
  await mailer.sendEmail({ to: 'you@example.org', subject: 'Grüße', text: 'Hallo', html: '<p>Hallo</p>' })
  const [name = ''] = await readdir(join(folder, 'outbox'))
  const mail = await simpleParser(await readFile(join(folder, 'outbox', name)))
  expect(mail).toMatchObject({
    subject: 'Grüße',
    text: expect.stringContaining('Hallo'),
    html: expect.stringContaining('<p>Hallo</p>'),
  })
  await rm(folder, { recursive: true })
})

it('a server that takes the call and then says nothing does not keep people waiting', async () => {
  const silent = createServer(() => undefined)
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const address = silent.address()
  const mailer = openSmtp(`smtp://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, from, 300)
  const started = performance.now()
  await expect(mailer.sendEmail({ to: 'you@example.org', subject: '', text: '', html: '' })).rejects.toThrow(
    MailNotSent,
  )
  expect(performance.now() - started).toBeLessThan(5_000)
  silent.close()
})
