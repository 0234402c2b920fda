import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/database/port.ts'
import {
  type AuthServer,
  apiKeys,
  codeIn,
  freshEmail,
  goodPassword,
  linkIn,
  openAuth,
  signUpMember,
} from '#tests/support/auth.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { addApp } from '#tests/support/second-factor.ts'

let numbers = 0
const freshPhone = () => `4917${String(10_000_000 + numbers++)}`

describe('the audit log tells of', () => {
  let db: Database
  let server: AuthServer
  beforeAll(async () => {
    db = await openTestDatabase()
    server = await openAuth(db)
  })
  afterAll(() => db.close())

  /** What was written down while `work` was under way. */
  const actionsOf = async (work: () => Promise<unknown>): Promise<string[]> => {
    await db.asOwner('test', (tx) => tx.query('delete from auth.audit_log_entries'))
    await work()
    const { rows } = await db.asOwner('test', (tx) =>
      tx.query<{ action: string }>(
        `select payload ->> 'action' || coalesce(' ' || (payload -> 'traits' ->> 'changed'), '') as action
         from auth.audit_log_entries order by created_at`,
      ),
    )
    return rows.map(({ action }) => action)
  }

  it('signing in, by password, code and link, and what failed', async () => {
    const { email } = await signUpMember(server)
    const client = server.client()
    expect(
      await actionsOf(async () => {
        await client.signInWithPassword({ email, password: 'not the password' })
        await client.signInWithPassword({ email, password: goodPassword })
        await client.refreshSession()
        await client.signOut()
      }),
    ).toEqual(['login_failed', 'login', 'token_refreshed', 'logout'])
    expect(
      await actionsOf(async () => {
        await client.signInWithOtp({ email })
        await client.verifyOtp({ email, token: codeIn(server.mails.at(-1)), type: 'email' })
      }),
    ).toContain('login')
    expect(
      await actionsOf(async () => {
        await client.signInWithOtp({ email })
        await server.request(linkIn(server.mails.at(-1)).href.split('/auth/v1')[1] ?? '')
      }),
    ).toContain('login')
  })

  it('a changed password, address and number', async () => {
    const { client, email } = await signUpMember(server)
    expect(await actionsOf(() => client.updateUser({ password: 'something quite new' }))).toContain(
      'user_updated_password',
    )
    const next = freshEmail()
    const changed = await actionsOf(async () => {
      await client.updateUser({ email: next })
      for (const to of [email, next]) {
        const mail = server.mails.findLast((each) => each.to === to && linkIn(each).searchParams.has('token'))
        await server.client().verifyOtp({ type: 'email_change', email: to, token: codeIn(mail) })
      }
    })
    expect(changed).toContain('email_change_requested')
    expect(changed).toContain('user_modified email')
    const signedIn = server.client()
    await signedIn.signInWithPassword({ email: next, password: 'something quite new' })
    const phone = freshPhone()
    expect(
      await actionsOf(async () => {
        await signedIn.updateUser({ phone })
        const token = server.texts.at(-1)?.code ?? ''
        await signedIn.verifyOtp({ phone, token, type: 'phone_change' })
      }),
    ).toContain('user_modified phone')
  })

  it('a second factor that comes and goes', async () => {
    const { client } = await signUpMember(server)
    const actions = await actionsOf(async () => {
      const { factorId } = await addApp(server, client)
      await client.mfa.recoveryCodes.generate()
      await client.mfa.unenroll({ factorId })
    })
    for (const action of [
      'factor_in_progress',
      'mfa_code_login',
      'generate_recovery_codes',
      'factor_unenrolled',
    ])
      expect(actions).toContain(action)
  })

  it('what is done with the secret key', async () => {
    const email = freshEmail()
    const { data } = await server.admin.createUser({ email, password: goodPassword, email_confirm: true })
    const id = data.user?.id ?? ''
    const attempts: Array<[string, () => Promise<unknown>]> = [
      ['user_modified', () => server.admin.updateUserById(id, { ban_duration: '24h' })],
      ['user_invited', () => server.admin.inviteUserByEmail(freshEmail())],
      ['link_generated', () => server.admin.generateLink({ type: 'recovery', email })],
      ['user_deleted', () => server.admin.deleteUser(id)],
    ]
    for (const [action, work] of attempts) expect(await actionsOf(work)).toEqual([action])
  })

  it('all this without a secret', async () => {
    const { client, email, session } = await signUpMember(server)
    const { data: link } = await server.admin.generateLink({ type: 'recovery', email })
    const enrolled = await client.mfa.enroll({ factorType: 'totp' })
    await client.signInWithOtp({ email })
    const answer = await server.request('/admin/audit?per_page=1000', { bearer: apiKeys.secret })
    const everything = await answer.text()
    expect(everything).toContain('link_generated')
    for (const secret of [
      goodPassword,
      session.access_token,
      session.refresh_token,
      link.properties?.hashed_token,
      `"${link.properties?.email_otp}"`,
      enrolled.data?.type === 'totp' && enrolled.data.totp.secret,
      `"${codeIn(server.mails.at(-1))}"`,
      '$2b$',
    ]) {
      expect(secret).toBeTruthy()
      expect(everything).not.toContain(secret)
    }
  })
})
