import { clientOf, type Endpoint } from '../context.ts'
import { notingRefusals } from '../mfa/refusals.ts'
import { readBody } from '../request-body.ts'
import { PasskeyAnswer } from './answer.ts'
import { beginRegistration, finishRegistration } from './register.ts'
import { renderPasskey } from './render.ts'

/** POST /passkeys/registration/options */
export const passkeyCreationOptions: Endpoint = async (c) =>
  c.json(await beginRegistration(c.var.services, c.var.member))

/** POST /passkeys/registration/verify: the new passkey's name and times. */
export const registerPasskey: Endpoint = async (c) => {
  const { services, member } = c.var
  const { challenge_id: challengeId, credential } = await readBody(c, PasskeyAnswer)
  const client = clientOf(c)
  const attempt = { actor: member.user, client, traits: { passkey: 'registration' } }
  const passkey = await notingRefusals(services, attempt, () =>
    finishRegistration(services, member, { challengeId, credential, client }),
  )
  return c.json(renderPasskey(passkey))
}
