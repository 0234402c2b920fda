import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '#server/database/open.ts'
import type { Database } from '#server/database/port.ts'
import { createRest } from '#server/rest/index.ts'
import { createStorage } from '#server/storage/index.ts'
import { unlessEnded, watchEndedTokens } from '#server/tokens/access-tokens.ts'
import { type AuthServer, openAuth } from '#tests/support/auth.ts'
import { databaseUrl, onServer } from '#tests/support/databases.ts'
import { fileStores, type TestFiles } from '#tests/support/files.ts'

/** After this long an ended session reads nothing any more, on any process. */
const WITHIN = { timeout: 1_000, interval: 10 }
const password = 'correct-horse-9'

/** One of several processes on the same database. */
interface Process {
  db: Database
  auth: AuthServer
  handlers: Hono
  /** Why it asked the database as its owner, since the last look. */
  reasons: string[]
}

const name = `ended_${randomUUID().replaceAll('-', '')}`
const processes: Process[] = []
let files: TestFiles
beforeAll(async () => {
  await onServer(`create database ${name} template migrated`)
  files = await fileStores[0][1]()
  for (let n = 0; n < 2; n++) processes.push(await startProcess())
})
afterAll(async () => {
  for (const { db } of processes) await db.close()
  await files.remove()
  await onServer(`drop database ${name} with (force)`)
})

async function startProcess(): Promise<Process> {
  const reasons: string[] = []
  const write = (line: string) => void reasons.push(JSON.parse(line).reason)
  const log = pino({ level: 'debug' }, { write })
  const db = await openDatabase({ kind: 'postgres', url: databaseUrl(name) }, log)
  const auth = await openAuth(db)
  const { keys } = auth.deps
  const verifyToken = unlessEnded(auth.deps.tokens.verify, await watchEndedTokens(db, 3600, log))
  const settings = { schemas: ['public'], maxRows: 1000, aggregates: false, plans: false }
  const handlers = new Hono()
    .route('/auth/v1', auth.app)
    .route('/rest/v1', createRest({ db, keys, settings, verifyToken, log }))
    .route('/storage/v1', createStorage({ db, files: files.files, keys, verifyToken, log }))
  return { db, auth, handlers, reasons }
}

interface SignedIn {
  id: string
  email: string
  token: string
  refreshToken: string
}

async function signIn(known?: SignedIn): Promise<SignedIn> {
  const { auth } = processes[0] as Process
  const email = known?.email ?? `ended-${randomUUID()}@example.org`
  if (!known) await auth.admin.createUser({ email, password, email_confirm: true })
  const { data, error } = await auth.client().signInWithPassword({ email, password })
  if (error || !data.session) throw error ?? new Error('no session')
  const { access_token: token, refresh_token: refreshToken } = data.session
  return { id: data.user.id, email, token, refreshToken }
}

const ask = (process: Process, path: string, { token }: SignedIn) =>
  process.handlers.request(path, {
    headers: { apikey: process.auth.deps.keys.publishable, authorization: `Bearer ${token}` },
  })

/** What each process says at each of the three protocols, as `status code`. */
async function answers(who: SignedIn): Promise<string[]> {
  const each = processes.map(async (process) => {
    const of = async (path: string) => {
      const answer = await ask(process, path, who)
      if (answer.ok) return 'ok'
      const body = await answer.json()
      return `${answer.status} ${body.error_code ?? body.code}`
    }
    return Promise.all([of('/auth/v1/user'), of('/rest/v1/users?select=id'), of('/storage/v1/bucket')])
  })
  return (await Promise.all(each)).flat()
}
const onAll = (...three: string[]) => processes.flatMap(() => three)
const fine = () => onAll('ok', 'ok', 'ok')
const over = (code = '403 session_not_found') => onAll(code, '401 PGRST303', '403 AccessDenied')

const request = (path: string, who: SignedIn, json: unknown = {}) =>
  (processes[0] as Process).auth.request(path, { json, bearer: who.token })
const sql = (text: string) => (processes[0] as Process).db.asOwner('test', (tx) => tx.script(text))
const admin = () => (processes[0] as Process).auth.admin

describe('an access token stops at all three protocols on all processes within a second', () => {
  it.each<[string, (who: SignedIn) => Promise<unknown>, string?]>([
    ['its session signs out', (who) => request('/logout?scope=local', who)],
    ['all sessions of its account sign out', (who) => request('/logout', who)],
    [
      'another session signs out the others',
      async (who) => request('/logout?scope=others', await signIn(who)),
    ],
    [
      'its session is ended from the list of sessions',
      async (who) => {
        const { session_id: id } = JSON.parse(atob(who.token.split('.')[1] ?? ''))
        const { handlers, auth } = processes[1] as Process
        await handlers.request('/rest/v1/rpc/end_own_session', {
          method: 'POST',
          headers: {
            apikey: auth.deps.keys.publishable,
            authorization: `Bearer ${who.token}`,
            'content-type': 'application/json',
          },
          body: JSON.stringify({ id }),
        })
      },
    ],
    [
      'an admin changes the password',
      ({ id }) => admin().updateUserById(id, { password: 'another-horse-9' }),
    ],
    ['an admin deletes the account', ({ id }) => admin().deleteUser(id), '403 user_not_found'],
    ['an admin deletes all but its id', ({ id }) => admin().deleteUser(id, true)],
    ['an admin bans it', ({ id }) => admin().updateUserById(id, { ban_duration: '1h' }), '403 user_banned'],
    [
      'its refresh token turns up a second time, long after it was spent',
      async (who) => {
        const refresh = (token: string) =>
          (processes[0] as Process).auth.request('/token?grant_type=refresh_token', {
            json: { refresh_token: token },
          })
        const next = (await (await refresh(who.refreshToken)).json()) as { refresh_token: string }
        await refresh(next.refresh_token)
        await sql(`update auth.refresh_tokens set updated_at = now() - interval '1 hour'`)
        expect(await (await refresh(who.refreshToken)).json()).toMatchObject({
          error_code: 'refresh_token_already_used',
        })
      },
    ],
    [
      'somebody deletes the session by hand',
      ({ id }) => sql(`delete from auth.sessions where user_id = '${id}'`),
    ],
    [
      'somebody deletes the account by hand',
      ({ id }) => sql(`delete from auth.users where id = '${id}'`),
      '403 user_not_found',
    ],
  ])('when %s', async (_what, end, code) => {
    const who = await signIn()
    const bystander = await signIn()
    expect(await answers(who)).toEqual(fine())
    await end(who)
    await expect.poll(() => answers(who), WITHIN).toEqual(over(code))
    expect(await answers(bystander)).toEqual(fine())
  })

  it('and is believed again when a ban is lifted', async () => {
    const who = await signIn()
    await admin().updateUserById(who.id, { ban_duration: '1h' })
    await expect.poll(() => answers(who), WITHIN).toEqual(over('403 user_banned'))
    await admin().updateUserById(who.id, { ban_duration: 'none' })
    await expect.poll(() => answers(who), WITHIN).toEqual(fine())
  })

  it('also when more sessions end at once than a notification can name', async () => {
    const who = await signIn()
    await sql(`insert into auth.sessions (id, user_id, created_at)
      select gen_random_uuid(), '${who.id}', now() from generate_series(1, 150)`)
    await request('/logout', who)
    await expect.poll(() => answers(who), WITHIN).toEqual(over())
  })

  it('and after a start, which reads what ended before', async () => {
    const who = await signIn()
    await request('/logout', who)
    const late = await startProcess()
    processes.push(late)
    try {
      expect(await answers(who)).toEqual(over())
    } finally {
      processes.pop()
      await late.db.close()
    }
  })
})

describe('what it costs', () => {
  it('is no question to the database', async () => {
    const who = await signIn()
    await answers(who)
    for (const { reasons } of processes) reasons.length = 0
    for (let n = 0; n < 5; n++) {
      for (const process of processes) await ask(process, '/rest/v1/users?select=id', who)
    }
    expect(processes.flatMap(({ reasons }) => reasons)).not.toContain('is a session over?')
  })

  it('is one question for each token while notifications are lost, and none of them is missed', async () => {
    const who = await signIn()
    expect(await answers(who)).toEqual(fine())
    // Nobody can connect anew, so that nobody can listen; the connections that are in use go on.
    await Promise.all(
      processes.map(({ db }) =>
        db.asOwner('a connection that stays', (tx) => tx.query('select pg_sleep(0.1)')),
      ),
    )
    await onServer(`alter database ${name} with allow_connections false`)
    try {
      await onServer(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = '${name}' and application_name = 'walking-together listen'`)
      const asked = () => processes.every(({ reasons }) => reasons.includes('is a session over?'))
      await expect
        .poll(async () => {
          for (const process of processes) await ask(process, '/rest/v1/users?select=id', who)
          return asked()
        }, WITHIN)
        .toBe(true)
      await sql(`delete from auth.sessions where user_id = '${who.id}'`)
      for (const process of processes) {
        expect((await ask(process, '/rest/v1/users?select=id', who)).status).toBe(401)
      }
    } finally {
      await onServer(`alter database ${name} with allow_connections true`)
    }
    for (const { reasons } of processes) reasons.length = 0
    const next = await signIn()
    await expect
      .poll(
        async () => {
          for (const { reasons } of processes) reasons.length = 0
          await answers(next)
          return processes.flatMap(({ reasons }) => reasons).includes('is a session over?')
        },
        { timeout: 10_000 },
      )
      .toBe(false)
  })
})

describe('a role', () => {
  it('counts as it is now, not as it was when the token was made', async () => {
    const who = await signIn()
    const insert = () =>
      (processes[1] as Process).handlers.request('/rest/v1/resources', {
        method: 'POST',
        headers: {
          apikey: (processes[1] as Process).auth.deps.keys.publishable,
          authorization: `Bearer ${who.token}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ title: 't', description: 'd', category: 'reading' }),
      })
    expect((await insert()).status).toBe(403)
    await sql(`update public.users set role = 'admin' where id = '${who.id}'`)
    expect((await insert()).status).toBe(201)
    await sql(`update public.users set role = 'member' where id = '${who.id}'`)
    expect((await insert()).status).toBe(403)
  })
})
