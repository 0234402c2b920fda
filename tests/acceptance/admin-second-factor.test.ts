import { GoTrueClient } from '@supabase/auth-js'
import { PostgrestClient } from '@supabase/postgrest-js'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Account, makeAccount, openSessionFor, password } from '#tests/support/members.ts'
import { type ServerProcess, startServer } from '#tests/support/server-process.ts'
import { startSite } from '#tests/support/site-server.ts'

/** The service with the default and then without the demand, over the same data. */
describe('an admin with a second factor', () => {
  let site: Awaited<ReturnType<typeof startSite>>
  let server: ServerProcess
  let admin: Account
  let atAal2: string
  beforeAll(async () => {
    site = await startSite({ env: { STARTER_CONTENT: 'off' } })
    server = site
    admin = await makeAccount(server, 'admin')
    atAal2 = await addApp()
  })
  afterAll(async () => {
    await server?.stop()
    await site?.remove()
  })

  async function addApp(): Promise<string> {
    const { url, keys } = server
    const headers = { apikey: keys.publishable }
    const client = new GoTrueClient({ url: `${url}/auth/v1`, headers, autoRefreshToken: false })
    await client.signInWithPassword({ email: admin.email, password })
    const { data } = await client.mfa.enroll({ factorType: 'totp' })
    const code = new TOTP({ secret: Secret.fromBase32(data?.totp.secret ?? '') }).generate()
    const lifted = await client.mfa.challengeAndVerify({ factorId: data?.id ?? '', code })
    return lifted.data?.access_token ?? ''
  }

  const libraryAs = (token: string) =>
    new PostgrestClient(`${server.url}/rest/v1`, {
      headers: { apikey: server.keys.publishable, Authorization: `Bearer ${token}` },
    })

  const write = async (token: string) => {
    const row = { title: 'New', description: 'New', category: 'reading' }
    return (await libraryAs(token).from('resources').insert(row)).status
  }

  const upload = async (token: string) => {
    const answer = await fetch(
      `${server.url}/storage/v1/object/images/resource-images/${crypto.randomUUID()}.svg`,
      {
        method: 'POST',
        headers: {
          apikey: server.keys.publishable,
          authorization: `Bearer ${token}`,
          'content-type': 'image/svg+xml',
        },
        body: '<svg xmlns="http://www.w3.org/2000/svg"/>',
      },
    )
    return answer.ok
  }

  it('does nothing by password alone, and everything by both', async () => {
    const { access_token: stolen } = await openSessionFor(server, admin)
    expect(await write(stolen)).toBe(403)
    expect(await upload(stolen)).toBe(false)
    expect((await libraryAs(stolen).rpc('admin_access')).data).toBe('verify')
    expect((await libraryAs(stolen).from('users').select('id')).data).toEqual([{ id: admin.id }])
    expect(await write(atAal2)).toBe(201)
    expect(await upload(atAal2)).toBe(true)
    expect((await libraryAs(atAal2).rpc('admin_access')).data).toBe('open')
  })

  it('sees where the account is signed in, and signs one of the places out', async () => {
    const other = await openSessionFor(server, admin)
    const { data } = await libraryAs(atAal2).rpc('own_sessions')
    expect(data).toContainEqual(
      expect.objectContaining({ current: true, aal: 'aal2', address_range: '127.0.0.x', user_agent: 'node' }),
    )
    const id = JSON.parse(atob(other.access_token.split('.')[1] ?? '')).session_id
    expect((await libraryAs(atAal2).rpc('end_own_session', { id })).data).toBe(true)
    expect((await libraryAs(atAal2).rpc('end_own_session', { id })).data).toBe(false)
  })

  it('writes by password again when the owner no longer demands it', async () => {
    const { dataDir, databaseUrl } = site
    await site.stop()
    server = await startServer({ dataDir, env: { DATABASE_URL: databaseUrl, ADMIN_REQUIRE_MFA: 'off' } })
    expect(await write((await openSessionFor(server, admin)).access_token)).toBe(201)
  })
})
