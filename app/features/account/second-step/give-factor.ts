import type { SecondFactor } from '#app/session/current-user.ts'
import { openSession } from '#app/session/session.ts'
import { granted } from '../kind-words.ts'

/** Texts a code to the factor's phone. Returns the challenge that it answers. */
export async function textCode(factor: SecondFactor): Promise<string> {
  const { client } = await openSession()
  return granted(await client.mfa.challenge({ factorId: factor.id, channel: 'sms' })).id
}

interface Given {
  factor: SecondFactor
  code: string
  /** For text messages: what `textCode` returned. */
  challengeId?: string
}

/** Lifts the session by a code; the whole site then knows the member. Errors: the service's. */
export async function giveCode({ factor, code, challengeId }: Given): Promise<void> {
  const { mfa } = (await openSession()).client
  const factorId = factor.id
  if (factor.type === 'recovery_code') granted(await mfa.recoveryCodes.verify({ code }))
  else if (challengeId) granted(await mfa.verify({ factorId, challengeId, code }))
  else granted(await mfa.challengeAndVerify({ factorId, code }))
}

/** The same by a security key, or what this device has in its place. */
export async function giveKey({ id: factorId }: SecondFactor): Promise<void> {
  const { mfa } = (await openSession()).client
  granted(await mfa.webauthn.authenticate({ factorId }))
}
