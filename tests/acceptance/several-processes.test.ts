import { randomUUID } from 'node:crypto'
import { GoTrueClient } from '@supabase/auth-js'
import { StorageClient } from '@supabase/storage-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeAccount, openSessionFor, password, serviceLibrary } from '#tests/support/members.ts'
import { type ServerGroup, startGroup } from '#tests/support/server-group.ts'
import type { ServerProcess } from '#tests/support/server-process.ts'
import { startSmtp, type TestSmtp } from '#tests/support/smtp.ts'

/** Beside other tests three processes take their time. */
const patiently = { timeout: 120_000 }

let group: ServerGroup
let smtp: TestSmtp
let one: ServerProcess
let two: ServerProcess
let three: ServerProcess
beforeAll(async () => {
  smtp = await startSmtp()
  group = await startGroup(3, { EARLY_ACCESS: 'off', SMTP_URL: smtp.url, AUTH_EMAIL_INTERVAL: '0' })
  ;[one, two, three] = group.servers as [ServerProcess, ServerProcess, ServerProcess]
}, 180_000)
afterAll(async () => {
  await group?.remove()
  await smtp?.stop()
})

const call = ({ url, keys }: ServerProcess, path: string, json: unknown, headers = {}) =>
  fetch(url + path, {
    method: 'POST',
    headers: { apikey: keys.publishable, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(json),
  })
const signIn = (server: ServerProcess, json: unknown, headers = {}) =>
  call(server, '/auth/v1/token?grant_type=password', json, headers)
const refresh = (server: ServerProcess, refresh_token: string) =>
  call(server, '/auth/v1/token?grant_type=refresh_token', { refresh_token })
const whoAmI = ({ url, keys }: ServerProcess, token: string) =>
  fetch(`${url}/auth/v1/user`, { headers: { apikey: keys.publishable, authorization: `Bearer ${token}` } })

describe('several processes that start together on an empty database', patiently, () => {
  it('agree on the API keys, load the starter library once, and make one admin', async () => {
    expect(new Set(group.servers.map(({ keys }) => keys.secret)).size).toBe(1)
    const { data } = await serviceLibrary(one).from('resources').select('title')
    expect(data?.length).toBeGreaterThan(10)
    expect(new Set(data?.map(({ title }) => title)).size).toBe(data?.length)
    const made = group.servers.map(({ output }) =>
      /Sign in as admin: (\S+) with password (\S+)/.exec(output()),
    )
    const [, email, secret] = made.find(Boolean) ?? []
    expect(made.filter(Boolean)).toHaveLength(1)
    for (const server of group.servers) {
      expect((await signIn(server, { email, password: secret })).status).toBe(200)
    }
  })

  it('show the same pages, with the same key', async () => {
    const pages = await Promise.all(
      group.servers.map(async ({ url }) => (await fetch(`${url}/resources`)).text()),
    )
    expect(new Set(pages).size).toBe(1)
    expect(pages[0]).toContain(one.keys.publishable)
  })
})

describe('an account', patiently, () => {
  it('signs in on one process and is known on all, until it signs out on any', async () => {
    const account = await makeAccount(one, 'member')
    const session = await openSessionFor(two, account)
    const token = session?.access_token ?? ''
    for (const server of group.servers) expect((await whoAmI(server, token)).status).toBe(200)
    const leave = await call(three, '/auth/v1/logout', {}, { authorization: `Bearer ${token}` })
    expect(leave.status).toBe(204)
    for (const server of group.servers) expect((await whoAmI(server, token)).status).toBe(403)
    expect((await refresh(one, session?.refresh_token ?? '')).status).toBe(400)
  })

  it('spends one refresh token on all at the same instant, and stays signed in', async () => {
    const account = await makeAccount(one, 'member')
    let token = (await openSessionFor(one, account))?.refresh_token ?? ''
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all([one, two, three, one, two].map((server) => refresh(server, token)))
      const sessions = await Promise.all(answers.map((answer) => answer.json()))
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
      expect(new Set(sessions.map(({ refresh_token }) => refresh_token)).size).toBe(1)
      expect((await whoAmI(three, sessions[0].access_token)).status).toBe(200)
      token = sessions[1].refresh_token
    }
  })

  it('asks one process for a code, and gives it to another', async () => {
    const email = `mailed-${randomUUID()}@example.org`
    expect((await call(one, '/auth/v1/signup', { email, password })).status).toBe(200)
    const mail = () => smtp.mails.find(({ to }) => JSON.stringify(to).includes(email))
    await expect.poll(mail, { timeout: 20_000 }).toBeDefined()
    const token = /^(\d{6})$/m.exec(mail()?.text ?? '')?.[1]
    const verified = await call(two, '/auth/v1/verify', { type: 'signup', email, token })
    expect([verified.status, (await verified.json()).user?.email]).toEqual([200, email])
    expect((await call(three, '/auth/v1/verify', { type: 'signup', email, token })).status).toBe(403)
  })

  it('is guessed at on several processes no more often than on one', async () => {
    const guess = { email: 'nobody@example.org', password: 'not-the-password' }
    const guessFrom = async (address: number, attempt: number) => {
      const server = group.servers[attempt % 3] as ServerProcess
      return (await signIn(server, guess, { 'x-forwarded-for': `203.0.113.${address}` })).status
    }
    const statuses: number[] = []
    for (let attempt = 0; attempt < 12; attempt++) statuses.push(await guessFrom(7, attempt))
    expect(statuses).toEqual([...Array(10).fill(400), 429, 429])
    const elsewhere = { 'x-forwarded-for': '203.0.113.8' }
    expect((await signIn(one, { ...guess, email: 'other@example.org' }, elsewhere)).status).toBe(400)
    // The account itself is guarded too: once thirty guesses have come from anywhere, each address has one.
    for (const address of [8, 9])
      for (let attempt = 0; attempt < 10; attempt++) expect(await guessFrom(address, attempt)).toBe(400)
    expect([await guessFrom(10, 1), await guessFrom(10, 2)]).toEqual([400, 429])
  })
})

describe('the library', patiently, () => {
  it('shows what was published on one process on all of them', async () => {
    const listed = async ({ url }: ServerProcess) => (await fetch(`${url}/resources/webinar`)).text()
    await Promise.all(group.servers.map(listed)) // Now every process has the page in its cache.
    const title = `Published everywhere ${randomUUID()}`
    const row = { title, description: 'At once', category: 'webinar', public: true }
    const { error } = await serviceLibrary(two).from('resources').insert(row)
    expect(error).toBeNull()
    for (const server of group.servers) {
      await expect.poll(() => listed(server), { timeout: 10_000, interval: 50 }).toContain(title)
    }
  })

  it('serves from one process what was uploaded to another', async () => {
    const headers = { apikey: two.keys.secret, authorization: `Bearer ${two.keys.secret}` }
    const path = `resource-images/${randomUUID()}.svg`
    const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'
    const { error } = await new StorageClient(`${two.url}/storage/v1`, headers)
      .from('images')
      .upload(path, picture, { contentType: 'image/svg+xml' })
    expect(error).toBeNull()
    for (const { url } of group.servers) {
      const answer = await fetch(`${url}/storage/v1/object/public/images/${path}`)
      expect([answer.status, await answer.text()]).toEqual([200, picture])
    }
  })
})

describe('the one address of all', patiently, () => {
  it('serves the official client, whichever process its calls reach', async () => {
    const { email } = await makeAccount(one, 'member')
    const client = new GoTrueClient({
      url: `${group.url}/auth/v1`,
      headers: { apikey: one.keys.publishable },
      persistSession: false,
      autoRefreshToken: false,
    })
    const { error } = await client.signInWithPassword({ email, password })
    expect(error).toBeNull()
    for (let round = 0; round < 4; round++) {
      expect((await client.getUser()).data.user?.email).toBe(email)
      expect((await client.refreshSession()).error).toBeNull()
      const { data, error: refused } = await client.getClaims()
      expect([refused, data?.claims.email]).toEqual([null, email])
    }
  })
})
