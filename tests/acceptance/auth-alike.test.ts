import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Database } from '#server/database/port.ts'
import { type AuthServer, apiKeys, freshEmail, goodPassword } from '#tests/support/auth.ts'
import { FULL_COST } from '#tests/support/quick-bcrypt.ts'

let numbers = 0
const freshPhone = () => `4918${String(10_000_000 + numbers++)}`

type Kind = 'unknown' | 'confirmed' | 'unconfirmed'
const kinds: readonly Kind[] = ['unknown', 'confirmed', 'unconfirmed']
const SAMPLES = 9

describe('nobody learns who has an account', () => {
  let db: Database
  let server: AuthServer
  let hash: string
  beforeAll(async () => {
    // What would give somebody away is a hash that is not compared: it has to cost what it costs.
    vi.stubEnv(FULL_COST, 'true')
    vi.resetModules()
    const { hashPassword } = await import('#server/auth/password/passwords.ts')
    const { openTestDatabase } = await import('#tests/support/databases.ts')
    const { openAuth } = await import('#tests/support/auth.ts')
    hash = await hashPassword(goodPassword)
    db = await openTestDatabase()
    server = await openAuth(db)
  })
  afterAll(async () => {
    vi.unstubAllEnvs()
    vi.resetModules()
    await db.close()
  })

  /** An address of each kind, that nobody has asked about before. */
  const emailOf = async (kind: Kind) => {
    const email = freshEmail()
    const email_confirm = kind === 'confirmed'
    if (kind !== 'unknown') await server.admin.createUser({ email, password_hash: hash, email_confirm })
    return { email }
  }
  const phoneOf = async (kind: Kind) => {
    const phone = freshPhone()
    const phone_confirm = kind === 'confirmed'
    if (kind !== 'unknown') await server.admin.createUser({ phone, password_hash: hash, phone_confirm })
    return { phone }
  }

  /** Straight to the service, so that nothing but its answer is waited for. */
  const ask = (path: string, body: object) =>
    server.app.request(path, {
      method: 'POST',
      headers: { apikey: apiKeys.publishable, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

  type Call = [what: string, path: string, more: object, addressOf: (kind: Kind) => Promise<object>]
  const calls: Call[] = [
    ['recovery', '/recover', {}, emailOf],
    ['a sign-in by mail', '/otp', {}, emailOf],
    ['a sign-in by mail for members only', '/otp', { create_user: false }, emailOf],
    ['a sign-up by mail', '/signup', { password: goodPassword, data: { theme: 'dark' } }, emailOf],
    ['a confirmation once more', '/resend', { type: 'signup' }, emailOf],
    ['a change of address once more', '/resend', { type: 'email_change' }, emailOf],
    ['a sign-in by text message', '/otp', {}, phoneOf],
    ['a sign-in by text message for members only', '/otp', { create_user: false }, phoneOf],
    ['a sign-up by phone', '/signup', { password: goodPassword }, phoneOf],
    ['a text message once more', '/resend', { type: 'sms' }, phoneOf],
    ['a wrong password', '/token?grant_type=password', { password: 'not the password' }, emailOf],
  ]

  /** What stands for anybody: random names and times go, and the address that was asked about. */
  const form = (text: string, address: object) => {
    const [own = ''] = Object.values(address) as string[]
    return text
      .replaceAll(own, 'ADDRESS')
      .replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'UUID')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
  }

  it.each(calls)('%s has one answer: status, headers and body', async (_what, path, more, addressOf) => {
    const answers = await Promise.all(
      kinds.map(async (kind) => {
        const address = await addressOf(kind)
        const answer = await ask(path, { ...address, ...more })
        return [answer.status, [...answer.headers], form(await answer.text(), address)]
      }),
    )
    expect(answers[1]).toEqual(answers[0])
    expect(answers[2]).toEqual(answers[0])
  })

  it('times within an answer tell nothing: an old account looks as new as a new one', async () => {
    const address = await emailOf('confirmed')
    const minute = new Date(Date.now() - 60_000).toISOString()
    await db.asOwner('test', (tx) => tx.query(`update auth.users set created_at = '2020-01-01T00:00:00Z'`))
    const user = await (await ask('/signup', { ...address, password: goodPassword })).json()
    for (const at of ['created_at', 'updated_at', 'confirmation_sent_at'])
      expect(user[at] > minute).toBe(true)
    expect(user.identities[0].created_at > minute).toBe(true)
  })

  it('a made-up account leaves nothing behind, and gets no message', async () => {
    const before = server.mails.length + server.texts.length
    for (const [, path, more, addressOf] of calls.filter(([what]) => /members only|recovery|more/.test(what)))
      await server.request(path, { json: { ...(await addressOf('unknown')), ...more } })
    expect(server.mails.length + server.texts.length).toBe(before)
    const { rows } = await db.asOwner('test', (tx) =>
      tx.query(
        `select email, phone from auth.users where email like '%decoy.invalid' or phone like '999%'
         union all select email, null from public.users where email like '%decoy.invalid'`,
      ),
    )
    expect(rows).toEqual([])
  })

  const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] as number

  // Interleaved, so that whatever else the machine does meets all three; generous, because it does a lot.
  const timed = calls.filter(([, path, , addressOf]) => path !== '/signup' || addressOf === emailOf)
  it.each(timed)(
    '%s takes its time',
    { retry: 3, timeout: 120_000 },
    async (_what, path, more, addressOf) => {
      const taken: Record<Kind, number[]> = { unknown: [], confirmed: [], unconfirmed: [] }
      for (let round = 0; round < SAMPLES + 2; round++) {
        for (const kind of [...kinds.slice(round % 3), ...kinds.slice(0, round % 3)]) {
          const address = await addressOf(kind)
          const started = performance.now()
          await (await ask(path, { ...address, ...more })).text()
          // The first rounds warm up.
          if (round >= 2) taken[kind].push(performance.now() - started)
        }
      }
      const [unknown, confirmed, unconfirmed] = kinds.map((kind) => median(taken[kind])) as [
        number,
        number,
        number,
      ]
      for (const known of [confirmed, unconfirmed]) {
        expect(known / unknown).toBeGreaterThan(0.5)
        expect(known / unknown).toBeLessThan(2)
      }
    },
  )
})
