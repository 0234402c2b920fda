import type { GoTrueClient } from '@supabase/supabase-js'
import { type AuthServer, signUpMember, siteUrl } from './auth.ts'
import { type Lies, SoftAuthenticator } from './soft-authenticator.ts'

/** Adds the authenticator's key to the account of a client with a session. */
export async function registerPasskey(client: GoTrueClient, authenticator: SoftAuthenticator) {
  const started = await client.passkey.startRegistration()
  if (started.error) throw started.error
  const { challenge_id: challengeId, options } = started.data
  const credential = authenticator.create(options)
  const { data, error } = await client.passkey.verifyRegistration({ challengeId, credential })
  if (error) throw error
  return data
}

/** Somebody with a passkey, and the authenticator that holds it. */
export async function memberWithPasskey(server: AuthServer, options: { counter?: number } = {}) {
  const owner = await signUpMember(server)
  const authenticator = new SoftAuthenticator(siteUrl, options)
  const passkey = await registerPasskey(owner.client, authenticator)
  return { ...owner, authenticator, passkey }
}

/** What comes of a sign-in with the authenticator alone. */
export async function signInBy(server: AuthServer, authenticator: SoftAuthenticator, lies: Lies = {}) {
  const client = server.client()
  const { data, error } = await client.passkey.startAuthentication()
  if (error) throw error
  const credential = authenticator.get(data.options, lies)
  return client.passkey.verifyAuthentication({ challengeId: data.challenge_id, credential })
}
