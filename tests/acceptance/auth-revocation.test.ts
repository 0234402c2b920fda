import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
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

type Client = ReturnType<AuthServer['client']>

describe('a change of the password or the address', () => {
  let db: Database
  let server: AuthServer
  let email: string
  let id: string
  let client: Client
  let other: Client
  beforeAll(async () => {
    db = await openTestDatabase()
    server = await openAuth(db)
  })
  afterAll(() => db.close())
  /** A member with the session that makes the change, another one, and something begun by every way that there is. */
  beforeEach(async () => {
    server.mails.length = 0
    server.texts.length = 0
    email = freshEmail()
    const made = await server.admin.createUser({ email, password: goodPassword, email_confirm: true })
    id = made.data.user?.id ?? ''
    client = await signedIn()
    other = await signedIn()
  })

  async function signedIn(address = email, password = goodPassword): Promise<Client> {
    const opened = server.client()
    const { error } = await opened.signInWithPassword({ email: address, password })
    if (error) throw error
    return opened
  }
  const isIn = async (who: Client) => (await who.getUser()).error === null
  const canRefresh = async (who: Client) => {
    const refresh_token = (await who.getSession()).data.session?.refresh_token ?? ''
    const answer = await server.request('/token?grant_type=refresh_token', { json: { refresh_token } })
    return answer.ok
  }
  const mailTo = (address: string) => server.mails.findLast(({ to }) => to === address)
  const press = async (mail: ReturnType<typeof mailTo>) => {
    const answer = await server.fetch(linkIn(mail).href, { redirect: 'manual' })
    return new URL(answer.headers.get('location') ?? 'about:blank')
  }
  const codeOf = (error: { code?: string | undefined } | null) => error?.code

  interface Begun {
    /** Each proof, as whoever holds it would use it; the answer is the refusal's code. */
    [what: string]: () => Promise<string | undefined>
  }
  /** Links, codes and flows that were begun before the change. Whoever had the old password or mailbox may hold them. */
  async function begin(): Promise<Begun> {
    const pkce = server.client('pkce')
    await pkce.signInWithOtp({ email })
    const landing = await press(mailTo(email))
    const authCode = landing.searchParams.get('code') ?? ''
    expect(authCode).not.toBe('')
    await other.reauthenticate()
    const nonce = codeIn(mailTo(email))
    const wanted = freshEmail()
    await other.updateUser({ email: wanted })
    const change = mailTo(wanted)
    const phone = `49151${String(Date.now()).slice(-8)}`
    await other.updateUser({ phone })
    const texted = server.texts.at(-1)?.code ?? ''
    await server.client().resetPasswordForEmail(email)
    const recovery = mailTo(email)
    return {
      'the link of a mail': async () =>
        codeOf(
          (
            await server.client().verifyOtp({
              token_hash: linkIn(recovery).searchParams.get('token') ?? '',
              type: 'recovery',
            })
          ).error,
        ),
      'the code of a mail': async () =>
        codeOf((await server.client().verifyOtp({ email, token: codeIn(recovery), type: 'recovery' })).error),
      'the code of a PKCE flow': async () => codeOf((await pkce.exchangeCodeForSession(authCode)).error),
      'a change of address': async () =>
        codeOf(
          (await server.client().verifyOtp({ email: wanted, token: codeIn(change), type: 'email_change' }))
            .error,
        ),
      'a change of phone': async () =>
        codeOf((await server.client().verifyOtp({ phone, token: texted, type: 'phone_change' })).error),
      'a code to reauthenticate': async () => {
        const strict = await openAuth(db, { settings: { ...server.deps.settings, reauthenticate: true } })
        const bearer = (await client.getSession()).data.session?.access_token ?? ''
        const json = { password: 'one-more-password-8', nonce }
        const answer = await strict.request('/user', { method: 'PUT', bearer, json })
        return (await answer.json()).error_code
      },
    }
  }
  const refusals = {
    'the link of a mail': 'otp_expired',
    'the code of a mail': 'otp_expired',
    'the code of a PKCE flow': 'flow_state_not_found',
    'a change of address': 'otp_expired',
    'a change of phone': 'otp_expired',
    'a code to reauthenticate': 'reauthentication_not_valid',
  }
  async function expectAllVoid(begun: Begun) {
    const answers: Record<string, string | undefined> = {}
    for (const [what, use] of Object.entries(begun)) answers[what] = await use()
    return expect(answers)
  }

  it('by its owner, of the password: ends the other sessions and voids what was begun', async () => {
    const begun = await begin()
    expect((await client.updateUser({ password: 'a-new-password-3' })).error).toBeNull()
    expect([await isIn(client), await canRefresh(client)]).toEqual([true, true])
    expect([await isIn(other), await canRefresh(other)]).toEqual([false, false])
    ;(await expectAllVoid(begun)).toEqual(refusals)
  })

  it('by its owner, of the address: ends the other sessions, and leaves who asked for it signed in', async () => {
    const begun = await begin()
    const newEmail = freshEmail()
    await client.updateUser({ email: newEmail })
    await server.client().resetPasswordForEmail(email)
    const stale = mailTo(email)
    const asked = server.mails.findLast(({ to, subject }) => to === email && subject !== stale?.subject)
    await press(asked)
    await press(mailTo(newEmail))
    expect((await client.getUser()).data.user?.email).toBe(newEmail)
    expect(await canRefresh(client)).toBe(true)
    expect([await isIn(other), await canRefresh(other)]).toEqual([false, false])
    expect(decodeURIComponent((await press(stale)).hash)).toContain('otp_expired')
    ;(await expectAllVoid(begun)).toEqual({
      ...refusals,
      // The account has moved: whoever had a code of the old mailbox has nothing.
      'a code to reauthenticate': 'reauthentication_not_valid',
    })
  })

  it('by its owner where nobody has to confirm it, too', async () => {
    const begun = await begin()
    const easy = await openAuth(db, { settings: { ...server.deps.settings, autoconfirm: true } })
    const bearer = (await client.getSession()).data.session?.access_token ?? ''
    const changed = await easy.request('/user', { method: 'PUT', bearer, json: { email: freshEmail() } })
    expect(changed.status).toBe(200)
    expect([await isIn(client), await isIn(other)]).toEqual([true, false])
    ;(await expectAllVoid(begun)).toEqual(refusals)
  })

  it('by its owner, of the phone: ends the other sessions', async () => {
    const phone = `49152${String(Date.now()).slice(-8)}`
    await client.updateUser({ phone })
    const { error } = await server
      .client()
      .verifyOtp({ phone, token: server.texts.at(-1)?.code ?? '', type: 'phone_change' })
    expect(error).toBeNull()
    expect([await isIn(client), await isIn(other)]).toEqual([true, false])
  })

  it.each<[what: string, change: () => object]>([
    ['password', () => ({ password: 'chosen-by-admin-5' })],
    ['address', () => ({ email: freshEmail() })],
    ['phone', () => ({ phone: `49153${String(Date.now()).slice(-8)}` })],
  ])('by an admin, of the %s: ends all sessions and voids what was begun', async (_what, change) => {
    const begun = await begin()
    expect((await server.admin.updateUserById(id, change())).error).toBeNull()
    expect([await isIn(client), await isIn(other), await canRefresh(client)]).toEqual([false, false, false])
    const { 'a code to reauthenticate': _, ...rest } = begun
    const { 'a code to reauthenticate': __, ...expected } = refusals
    ;(await expectAllVoid(rest)).toEqual(expected)
  })

  it('by an admin: a link that was mailed to the old address opens nothing', async () => {
    await server.client().resetPasswordForEmail(email)
    const stale = mailTo(email)
    // As if it had not been voided by the change: the address alone decides.
    const token = await db.asOwner('test', (tx) =>
      tx.query('select to_jsonb(t) as row from auth.one_time_tokens t where user_id = $1', [id]),
    )
    await server.admin.updateUserById(id, { email: freshEmail() })
    await db.asOwner('test', (tx) =>
      tx.query(
        'insert into auth.one_time_tokens select * from jsonb_populate_record(null::auth.one_time_tokens, $1::jsonb)',
        [JSON.stringify(token.rows[0]?.row)],
      ),
    )
    expect(decodeURIComponent((await press(stale)).hash)).toContain('otp_expired')
  })

  it('a ban voids what was begun, and lets nobody go on', async () => {
    const begun = await begin()
    await server.admin.updateUserById(id, { ban_duration: '24h' })
    expect([await isIn(client), await canRefresh(client)]).toEqual([false, false])
    await server.admin.updateUserById(id, { ban_duration: 'none' })
    const { 'a code to reauthenticate': _, ...rest } = begun
    const { 'a code to reauthenticate': __, ...expected } = refusals
    ;(await expectAllVoid(rest)).toEqual(expected)
  })

  it.each([true, false])('a deletion (soft: %s) ends everything', async (isSoft) => {
    const begun = await begin()
    await server.admin.deleteUser(id, isSoft)
    expect([await isIn(client), await canRefresh(client)]).toEqual([false, false])
    const left = await db.asOwner('test', (tx) =>
      tx.query(
        `select (select count(*) from auth.sessions where user_id = $1) as sessions,
           (select count(*) from auth.one_time_tokens where user_id = $1) as tokens,
           (select count(*) from auth.flow_state where user_id = $1 or linking_target_id = $1) as flows`,
        [id],
      ),
    )
    expect(left.rows).toEqual([{ sessions: 0, tokens: 0, flows: 0 }])
    expect(await begun['the code of a PKCE flow']?.()).toBe('flow_state_not_found')
  })

  it('a sign-in by a mailed link ends nothing: it changes no way in', async () => {
    await server.client().signInWithOtp({ email, options: { emailRedirectTo: `${siteUrl}/` } })
    await press(mailTo(email))
    expect([await isIn(client), await isIn(other)]).toEqual([true, true])
  })
})
