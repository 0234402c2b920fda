import type { GoTrueClient } from '@supabase/supabase-js'
import { Secret, TOTP } from 'otpauth'
import { type AuthServer, goodPassword, signUpMember } from './auth.ts'

/** The app on somebody's phone. */
export const phoneApp = (server: AuthServer, secret: string) => ({
  /** @param steps half-minutes from now */
  code: (steps = 0) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({
      timestamp: (server.deps.now ?? Date.now)() + steps * 30_000,
    }),
})

export type PhoneApp = ReturnType<typeof phoneApp>

/** Adds an authenticator app and gives its first code: the client's session is at aal2 then. */
export async function addApp(server: AuthServer, client: GoTrueClient, friendlyName?: string) {
  const enrolled = await client.mfa.enroll({ factorType: 'totp', ...(friendlyName && { friendlyName }) })
  if (enrolled.error) throw enrolled.error
  const { id: factorId, totp } = enrolled.data
  const app = phoneApp(server, totp.secret)
  const { data, error } = await client.mfa.challengeAndVerify({ factorId, code: app.code() })
  if (error) throw error
  // The code is spent now; the next one comes with the next half-minute.
  server.advance(30)
  return { factorId, app, session: data }
}

/** A challenge's id. */
export const challengeOf = async (client: GoTrueClient, factorId: string): Promise<string> =>
  (await client.mfa.challenge({ factorId })).data?.id ?? ''

/** Somebody with an app, and beside the owner's session a client that has given the password only. */
export async function memberWithApp(server: AuthServer) {
  const owner = await signUpMember(server)
  const app = await addApp(server, owner.client)
  const client = server.client()
  await client.signInWithPassword({ email: owner.email, password: goodPassword })
  return { owner, ...app, client }
}
