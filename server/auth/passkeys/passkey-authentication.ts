import { clientOf, type Endpoint } from '../context.ts'
import { readBody } from '../request-body.ts'
import { tokenResponse } from '../sessions/lifecycle.ts'
import { PasskeyAnswer } from './answer.ts'
import { beginSignIn, finishSignIn } from './sign-in.ts'

/** POST /passkeys/authentication/options */
export const passkeyRequestOptions: Endpoint = async (c) => c.json(await beginSignIn(c.var.services))

/** POST /passkeys/authentication/verify: a session. */
export const signInWithPasskey: Endpoint = async (c) => {
  const { services } = c.var
  const { challenge_id: challengeId, credential } = await readBody(c, PasskeyAnswer)
  const issued = await finishSignIn(services, { challengeId, credential, client: clientOf(c) })
  return c.json(await tokenResponse(services, issued))
}
