import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { simpleParser } from 'mailparser'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/database/port.ts'
import { openMailer } from '#server/mail/open.ts'
import { MailNotSent } from '#server/mail/port.ts'
import { openSmtp } from '#server/mail/smtp.ts'
import { type AuthServer, freshEmail, goodPassword, openAuth, signUpMember } from '#tests/support/auth.ts'
import { databases } from '#tests/support/databases.ts'
import { startSmtp, type TestSmtp } from '#tests/support/smtp.ts'

const log = pino({ level: 'silent' })
const from = 'hello@example.org'
const mailerFor = (smtpUrl: string) => openMailer({ smtpUrl, dataDir: '', from }, log)

describe.each(databases)('mail through a real server on %s', (_name, open) => {
  let db: Database
  let smtp: TestSmtp
  let server: AuthServer
  beforeAll(async () => {
    db = await open()
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

  it('says so when the server takes no mail, leaves nothing half-made, and works at the next try', async () => {
    const email = freshEmail()
    smtp.refuse(true)
    const refused = await server.client().signUp({ email, password: goodPassword })
    expect(refused.error).toMatchObject({
      status: 500,
      message: expect.stringContaining('could not be sent'),
    })
    for (const table of ['users where email = $1', 'one_time_tokens where relates_to = $1']) {
      const { affected } = await db.asOwner('test', (tx) => tx.query(`select from auth.${table}`, [email]))
      expect([table, affected]).toEqual([table, 0])
    }
    smtp.refuse(false)
    expect((await server.client().signUp({ email, password: goodPassword })).error).toBeNull()
    expect(mailTo(email)).toBeDefined()
  })

  it('keeps the earlier link alive when a later one could not be sent', async () => {
    const { email } = await signUpMember(server)
    const relaxed = await openAuth(db, { mailer: mailerFor(smtp.url) })
    await relaxed.client().resetPasswordForEmail(email)
    const code = /^\d{6}$/m.exec(mailTo(email)?.text ?? '')?.[0] ?? ''
    smtp.refuse(true)
    expect((await relaxed.client().resetPasswordForEmail(email)).error?.status).toBe(500)
    smtp.refuse(false)
    expect((await relaxed.client().verifyOtp({ email, token: code, type: 'recovery' })).error).toBeNull()
  })

  it('takes a change of user back as a whole when its mail could not be sent', async () => {
    const { email, client } = await signUpMember(server)
    smtp.refuse(true)
    const change = { email: freshEmail(), password: 'something quite new', data: { a: 1 } }
    expect((await client.updateUser(change)).error?.status).toBe(500)
    smtp.refuse(false)
    const { data } = await client.getUser()
    expect(data.user).not.toHaveProperty('new_email')
    expect(data.user?.user_metadata).not.toHaveProperty('a')
    expect((await server.client().signInWithPassword({ email, password: goodPassword })).error).toBeNull()
    expect((await client.updateUser(change)).error).toBeNull()
  })

  it('does not tell by a failure who has an account', async () => {
    const { email } = await signUpMember(server)
    const away = await openAuth(db, { mailer: mailerFor('smtp://127.0.0.1:1') })
    const known = await away.client().resetPasswordForEmail(email)
    const unknown = await away.client().resetPasswordForEmail(freshEmail())
    expect(known.error).toMatchObject({ status: 500 })
    expect(unknown.error).toMatchObject({ status: 500, message: known.error?.message })
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
  await mailer.send({ to: 'you@example.org', subject: 'Grüße', text: 'Hallo', html: '<p>Hallo</p>' })
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
  await expect(mailer.send({ to: 'you@example.org', subject: '', text: '', html: '' })).rejects.toThrow(
    MailNotSent,
  )
  await expect(mailer.rehearse()).rejects.toThrow(MailNotSent)
  expect(performance.now() - started).toBeLessThan(5_000)
  silent.close()
})
