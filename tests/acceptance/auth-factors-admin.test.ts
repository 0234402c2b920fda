import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#server/database/port.ts'
import { type AuthServer, openAuth, signUpMember } from '#tests/support/auth.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { addApp } from '#tests/support/second-factor.ts'

describe('second factors in the hands of', () => {
  let db: Database
  let server: AuthServer
  beforeAll(async () => {
    db = await openTestDatabase()
    server = await openAuth(db)
  })
  afterAll(() => db.close())

  describe('an owner with the secret key', () => {
    it('lists, renames and removes factors; sessions fall back to aal1', async () => {
      const { client, user } = await signUpMember(server)
      const { factorId } = await addApp(server, client, 'old name')
      const userId = user?.id ?? ''
      const listed = await server.admin.mfa.listFactors({ userId })
      expect(listed.data?.factors).toMatchObject([{ id: factorId, friendly_name: 'old name' }])
      expect(listed.data?.factors[0]).not.toHaveProperty('secret')
      const renamed = await server.fetch(
        `http://site.example/auth/v1/admin/users/${userId}/factors/${factorId}`,
        {
          method: 'PUT',
          headers: { apikey: 'sb_secret_tests' },
          body: JSON.stringify({ friendly_name: 'new name' }),
        },
      )
      expect(await renamed.json()).toMatchObject({ id: factorId, friendly_name: 'new name' })
      expect((await server.admin.mfa.deleteFactor({ id: factorId, userId })).error).toBeNull()
      const { data } = await client.refreshSession()
      expect(decodeJwt(data.session?.access_token ?? '')).toMatchObject({ aal: 'aal1' })
      expect((await server.admin.mfa.deleteFactor({ id: factorId, userId })).error).toMatchObject({
        status: 404,
        code: 'mfa_factor_not_found',
      })
    })

    it('is needed for that: neither a member nor a visitor may', async () => {
      const { session, user } = await signUpMember(server)
      const path = `/admin/users/${user?.id}/factors`
      const asMember = await server.request(path, { bearer: session.access_token })
      expect([asMember.status, asMember.headers.get('x-sb-error-code')]).toEqual([403, 'not_admin'])
      expect((await server.request(path)).status).toBe(403)
    })
  })
})
