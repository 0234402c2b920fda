import { z } from 'zod'
import { clientOf, type Endpoint } from '../context.ts'
import { optional, readBody } from '../request-body.ts'
import { tokenResponse } from '../sessions/lifecycle.ts'
import { challengeId, idInPath } from './fields.ts'
import { notingRefusals } from './refusals.ts'
import { verifyFactor } from './verify.ts'

const Body = z.object({
  challenge_id: challengeId,
  code: optional(z.string().max(32, 'code is too long')),
  webauthn: optional(z.object({ credential_response: z.unknown() })),
})

/** POST /factors/{factor_id}/verify: the same session at aal2, for the answer to a challenge. */
export const verifyChallenge: Endpoint = async (c) => {
  const { services, member } = c.var
  const factorId = idInPath(c, 'factor_id')
  const body = await readBody(c, Body)
  const client = clientOf(c)
  const { challenge_id: challengeId, code } = body
  const answer = { factorId, challengeId, code, credential: body.webauthn?.credential_response, client }
  const guesses = `mfa:${member.user.id}`
  const attempt = { actor: member.user, client, traits: { factor_id: factorId } }
  const issued = await notingRefusals(services, attempt, async () => {
    await services.limits.count('code', guesses)
    return verifyFactor(services, member, answer)
  })
  await services.limits.forget('code', guesses)
  return c.json(await tokenResponse(services, issued))
}
