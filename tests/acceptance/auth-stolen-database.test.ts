import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { importJWK, type JWK, SignJWT } from 'jose'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSecrets } from '#server/auth/secrets.ts'
import type { Database } from '#server/database/port.ts'
import { type ApiKeys, agreeOnApiKeys } from '#server/tokens/api-keys.ts'
import { rotateSigningKey } from '#server/tokens/signing-keys.ts'
import {
  type AuthServer,
  freshEmail,
  goodPassword,
  linkIn,
  openAuth,
  sealing,
  signUpMember,
} from '#tests/support/auth.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { addApp } from '#tests/support/second-factor.ts'

/** A service as it is in use: people with sessions and second factors, mails on their way, flows begun. */
async function inUse(db: Database, server: AuthServer) {
  const member = await signUpMember(server)
  const second = await signUpMember(server)
  const { factorId, app } = await addApp(server, second.client)
  const { data: made } = await second.client.mfa.recoveryCodes.generate()
  await server.client().signInWithOtp({ email: member.email })
  const link = linkIn(server.mails.at(-1))
  await server.client().resetPasswordForEmail(member.email)
  await server.client().signInWithOtp({ email: freshEmail() })
  // One whose link was opened in a PKCE flow of the kind whose challenge is the verifier itself.
  const verifier = randomBytes(32).toString('base64url')
  const started = await server.request('/otp', {
    json: { email: second.email, code_challenge: verifier, code_challenge_method: 'plain' },
  })
  expect(started.status).toBe(200)
  const opened = await server.request(linkIn(server.mails.at(-1)).href.split('/auth/v1')[1] ?? '')
  const code = new URL(opened.headers.get('location') ?? '').searchParams.get('code') ?? ''
  expect(code).not.toBe('')
  await rotateSigningKey(db, sealing, 3600)
  return { member, second, factorId, app, recoveryCodes: made?.codes ?? [], link, flow: { code, verifier } }
}

/** Every text in every column of every table, and every text within JSON. */
async function everyText(db: Database): Promise<string[]> {
  return db.asOwner('steal', async (tx) => {
    const { rows: tables } = await tx.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema')`,
    )
    const texts = new Set<string>()
    const collect = (value: unknown): void => {
      if (typeof value === 'string') texts.add(value)
      else if (value && typeof value === 'object') Object.values(value).forEach(collect)
    }
    for (const { name } of tables) {
      const { rows } = await tx.query<{ row: string }>(`select to_jsonb(t)::text as row from ${name} t`)
      for (const { row } of rows) collect(JSON.parse(row))
    }
    return [...texts]
  })
}

describe('whoever has a copy of the database', () => {
  let db: Database
  let server: AuthServer
  let keys: ApiKeys
  let world: Awaited<ReturnType<typeof inUse>>
  let texts: string[]
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'walking-together-stolen-'))
    db = await openTestDatabase()
    keys = await agreeOnApiKeys(db, sealing, { dataDir: folder })
    server = await openAuth(db, { keys })
    world = await inUse(db, server)
    texts = await everyText(db)
  })
  afterAll(async () => {
    await db.close()
    await rm(folder, { recursive: true })
  })

  const openedBy = async (json: (text: string) => unknown, path: string, candidates = texts) => {
    const opened: string[] = []
    for (const text of candidates) {
      const answer = await server.request(path, { json: json(text) })
      if (answer.ok) opened.push(text)
    }
    return opened
  }

  it('finds no secret in it', () => {
    const all = texts.join('\n')
    expect(texts.length).toBeGreaterThan(100)
    const { member, second, link, recoveryCodes, flow } = world
    const secrets = [
      keys.secret,
      goodPassword,
      member.session.refresh_token,
      second.session.refresh_token,
      member.session.access_token,
      link.searchParams.get('token') ?? 'no link',
      ...recoveryCodes,
      flow.code,
      flow.verifier,
    ]
    expect(recoveryCodes).toHaveLength(10)
    for (const secret of secrets) expect(all).not.toContain(secret)
    expect(all).not.toMatch(/"d"\s*:/)
  })

  it('refreshes no session', async () => {
    const tokens = texts.filter((text) => text.length >= 12)
    expect(
      await openedBy((refresh_token) => ({ refresh_token }), '/token?grant_type=refresh_token', tokens),
    ).toEqual([])
  })

  it('opens no link', async () => {
    const hashes = texts.flatMap((text) => [text, `pkce_${text}`])
    for (const type of ['email', 'recovery', 'magiclink']) {
      expect(await openedBy((token_hash) => ({ type, token_hash }), '/verify', hashes)).toEqual([])
    }
  })

  it('finishes no flow', async () => {
    const { rows } = await db.asOwner('test', (tx) =>
      tx.query<{ auth_code: string; code_challenge: string }>(
        'select auth_code, code_challenge from auth.flow_state where auth_code is not null',
      ),
    )
    expect(rows).toHaveLength(1)
    const [{ code_challenge: challenge } = { code_challenge: '' }] = rows
    const exchange = '/token?grant_type=pkce'
    expect(await openedBy((auth_code) => ({ auth_code, code_verifier: challenge }), exchange)).toEqual([])
    const code = rows[0]?.auth_code
    expect(await openedBy((code_verifier) => ({ auth_code: code, code_verifier }), exchange)).toEqual([])
  })

  it('is no member and no admin by any text of it', async () => {
    for (const text of texts.filter((text) => /^[\x21-\x7e]+$/.test(text))) {
      const user = await server.request('/user', { bearer: text })
      const admin = await server.request('/admin/users', { bearer: text, headers: { apikey: text } })
      expect([user.ok, admin.ok, text]).toEqual([false, false, text])
    }
  })

  it('signs no access token', async () => {
    expect(texts.flatMap(privateKeysIn)).toEqual([])
    const sealed = texts.filter((text) => text.startsWith('sealed.'))
    // Both signing keys, the API's secret key, and the app of one member.
    expect(sealed.length).toBe(4)
    // The control: with what was stored in the open before, this way in stands wide open.
    const { rows } = await db.asOwner('test', (tx) =>
      tx.query<{ kid: string; private_key: string }>('select kid, private_key from platform.signing_keys'),
    )
    const unsealed = rows.map(({ kid, private_key: key }) =>
      sealing.unseal(key, `platform.signing_keys.private_key:${kid}`),
    )
    const [stolen] = unsealed.flatMap(privateKeysIn)
    const token = await forge(stolen as JWK, world.member.session.access_token)
    expect((await server.request('/user', { bearer: token })).status).toBe(200)
  })

  it('derives no refresh token and no link', async () => {
    const sessions = await db.asOwner('test', (tx) =>
      tx.query<{ session: string; parent: string | null }>(
        'select session_id::text as session, parent from auth.refresh_tokens where not revoked',
      ),
    )
    expect(sessions.rows.length).toBeGreaterThan(1)
    const derived = (secret: string) =>
      sessions.rows.map(({ session, parent }) => createSecrets(secret).refreshToken(session, parent || null))
    // The control: the API's secret key would do it.
    const real = new Set(sessions.rows.map(({ session }) => session)).size
    const digests = new Set(texts)
    const hits = (tokens: string[]) =>
      tokens.filter((token) => digests.has(createHash('sha256').update(token).digest('hex'))).length
    expect(hits(derived(keys.secret))).toBeGreaterThanOrEqual(real)
    for (const text of texts) expect(hits(derived(text))).toBe(0)
  })

  it('gives no code of an app', async () => {
    const { second, factorId } = world
    const client = server.client()
    await client.signInWithPassword({ email: second.email, password: goodPassword })
    const { data } = await client.mfa.challenge({ factorId })
    const secrets = texts.flatMap((text) => text.match(/[A-Z2-7]{16,}/g) ?? [])
    const valid = new Set([-1, 0, 1].map((step) => world.app.code(step)))
    for (const secret of secrets) {
      const totp = new TOTP({ secret: Secret.fromBase32(secret) })
      expect(valid.has(totp.generate({ timestamp: (server.deps.now ?? Date.now)() }))).toBe(false)
    }
    const right = await client.mfa.verify({
      factorId,
      challengeId: data?.id ?? '',
      code: world.app.code(),
    })
    expect(right.error).toBeNull()
  })

  it('while their owners go on', async () => {
    const { member, flow } = world
    expect((await member.client.refreshSession()).error).toBeNull()
    const exchanged = await server.request('/token?grant_type=pkce', {
      json: { auth_code: flow.code, code_verifier: flow.verifier },
    })
    expect(exchanged.status).toBe(200)
  })
})

function privateKeysIn(text: string): JWK[] {
  try {
    const jwk = JSON.parse(text) as JWK
    return typeof jwk === 'object' && jwk?.d ? [jwk] : []
  } catch {
    return []
  }
}

/** The claims of a real token, signed anew. */
async function forge(jwk: JWK, token: string): Promise<string> {
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  const key = await importJWK(jwk, 'ES256')
  return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: jwk.kid ?? '' }).sign(key)
}
