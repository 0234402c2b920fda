import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/database/port.ts'
import { type AuthServer, goodPassword, openAuth, signUpMember } from '#tests/support/auth.ts'
import { openTestDatabase } from '#tests/support/databases.ts'

describe('sessions', () => {
  let db: Database
  let server: AuthServer
  beforeAll(async () => {
    db = await openTestDatabase()
    server = await openAuth(db)
  })
  afterAll(() => db.close())

  const refresh = async (token: string, at = server) => {
    const answer = await at.request('/token?grant_type=refresh_token', { json: { refresh_token: token } })
    return { status: answer.status, ...(await answer.json()) }
  }

  it('go on over refreshes under one id, with the proofs that opened them', async () => {
    const { client, session } = await signUpMember(server)
    const before = await client.getClaims()
    server.advance(3)
    const { data, error } = await client.refreshSession()
    expect(error).toBeNull()
    expect(data.session?.refresh_token).not.toBe(session.refresh_token)
    const after = await client.getClaims()
    expect(after.data?.claims.session_id).toBe(before.data?.claims.session_id)
    expect(after.data?.claims.amr).toEqual(before.data?.claims.amr)
  })

  it('forgive a token that is spent twice within ten seconds', async () => {
    const { session } = await signUpMember(server)
    const first = await refresh(session.refresh_token)
    const again = await refresh(session.refresh_token)
    expect(again).toMatchObject({ status: 200, refresh_token: first.refresh_token })
  })

  it('forgive the parent of the active token at any time: the answer may have been lost', async () => {
    const { session } = await signUpMember(server)
    const first = await refresh(session.refresh_token)
    server.advance(60)
    expect(await refresh(session.refresh_token)).toMatchObject({
      status: 200,
      refresh_token: first.refresh_token,
    })
  })

  it('end when an older token turns up later', async () => {
    const { session } = await signUpMember(server)
    const second = await refresh(session.refresh_token)
    const third = await refresh(second.refresh_token)
    server.advance(11)
    expect(await refresh(session.refresh_token)).toMatchObject({
      status: 400,
      error_code: 'refresh_token_already_used',
    })
    expect(await refresh(third.refresh_token)).toMatchObject({
      status: 400,
      error_code: 'refresh_token_already_used',
    })
  })

  it('know no other tokens', async () => {
    expect(await refresh('abcdefghijkl')).toMatchObject({
      status: 400,
      error_code: 'refresh_token_not_found',
    })
    expect(await refresh('short')).toMatchObject({ status: 400, error_code: 'validation_failed' })
  })

  it('are kept without anything that could open them', async () => {
    const { session } = await signUpMember(server)
    const stored = await db.asOwner('test', (tx) =>
      tx.query<{ token: string }>('select token from auth.refresh_tokens'),
    )
    expect(stored.rows.map((row) => row.token)).not.toContain(session.refresh_token)
    expect(stored.rows.every((row) => /^[\da-f]{64}$/.test(row.token))).toBe(true)
  })

  it('survive two processes that refresh at the same instant, which agree', async () => {
    const other = await openAuth(db)
    const { session } = await signUpMember(server)
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, i) => refresh(session.refresh_token, i % 2 ? other : server)),
    )
    expect(answers.map((answer) => answer.status)).toEqual(Array(6).fill(200))
    expect(new Set(answers.map((answer) => answer.refresh_token)).size).toBe(1)
    expect(await refresh(answers[0]?.refresh_token ?? '', other)).toMatchObject({ status: 200 })
  })

  it('end by sign-out: this one, the others, or all', async () => {
    const { email, client: first } = await signUpMember(server)
    const [second, third] = [server.client(), server.client()]
    await second.signInWithPassword({ email, password: goodPassword })
    await third.signInWithPassword({ email, password: goodPassword })
    const isIn = async (client: typeof first) => (await client.getUser()).error === null
    const token = (await third.getSession()).data.session?.access_token ?? ''
    expect((await third.signOut({ scope: 'local' })).error).toBeNull()
    expect(await server.request('/user', { bearer: token })).toMatchObject({ status: 403 })
    expect(await isIn(second)).toBe(true)
    expect((await first.signOut({ scope: 'others' })).error).toBeNull()
    expect([await isIn(first), await isIn(second)]).toEqual([true, false])
    const last = (await first.getSession()).data.session
    expect((await first.signOut()).error).toBeNull()
    const after = await server.request('/user', { bearer: last?.access_token ?? '' })
    expect(await after.json()).toMatchObject({ error_code: 'session_not_found' })
    expect(await refresh(last?.refresh_token ?? '')).toMatchObject({
      status: 400,
      error_code: 'refresh_token_not_found',
    })
  })

  it('end for somebody else by the secret key', async () => {
    const { client, session } = await signUpMember(server)
    expect((await server.admin.signOut(session.access_token, 'global')).error).toBeNull()
    expect((await client.getUser()).error?.name).toBe('AuthSessionMissingError')
  })

  it('end after the time box, and when they are not used', async () => {
    const boxed = await openAuth(db, {
      settings: { sessions: { timeBoxSeconds: 100, inactivitySeconds: undefined } },
    })
    const boxedSession = (await signUpMember(boxed)).session
    const idle = await openAuth(db, {
      settings: { sessions: { timeBoxSeconds: undefined, inactivitySeconds: 100 } },
    })
    const idleSession = (await signUpMember(idle)).session
    boxed.advance(60)
    idle.advance(60)
    const next = await refresh(idleSession.refresh_token, idle)
    const inTime = await refresh(boxedSession.refresh_token, boxed)
    expect([next.status, inTime.status]).toEqual([200, 200])
    boxed.advance(60)
    idle.advance(60)
    expect(await refresh(inTime.refresh_token, boxed)).toMatchObject({
      status: 400,
      error_code: 'session_expired',
    })
    const third = await refresh(next.refresh_token, idle)
    expect(third.status).toBe(200)
    idle.advance(101)
    expect(await refresh(third.refresh_token, idle)).toMatchObject({
      status: 400,
      error_code: 'session_expired',
    })
  })

  it('do not let banned people in, nor go on for them', async () => {
    const { email, client, session, user } = await signUpMember(server)
    await server.admin.updateUserById(user?.id ?? '', { ban_duration: '1h' })
    expect((await client.getUser()).error).toMatchObject({ status: 403, code: 'user_banned' })
    expect(await refresh(session.refresh_token)).toMatchObject({ status: 400, error_code: 'user_banned' })
    const signIn = await server.client().signInWithPassword({ email, password: goodPassword })
    expect(signIn.error).toMatchObject({ status: 400, code: 'user_banned' })
    await server.admin.updateUserById(user?.id ?? '', { ban_duration: 'none' })
    expect((await client.getUser()).error).toBeNull()
  })

  it('do not break on clocks that differ by a few seconds', async () => {
    const { client } = await signUpMember(server)
    const behind = await openAuth(db)
    behind.advance(-5)
    const { data } = await client.getSession()
    expect((await behind.request('/user', { bearer: data.session?.access_token ?? '' })).status).toBe(200)
  })
})
