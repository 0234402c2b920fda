import { z } from 'zod'
import { audit, unknownActor } from '../audit.ts'
import { clientOf, type Endpoint } from '../context.ts'
import { enqueueLinkEmail, withSendCooldown } from '../emails.ts'
import { readChallenge } from '../pkce.ts'
import { redirectTarget } from '../redirects.ts'
import { challengeFields, email, readBody } from '../request-body.ts'
import { forUserOrObfuscated } from '../users/obfuscated-user.ts'
import { findUser } from '../users/queries.ts'

const Body = z.object({ email, ...challengeFields })

/** POST /recover: a mail that leads to a new password. The same answer, after the same work, for unknown addresses. */
export const recover: Endpoint = async (c) => {
  const { services } = c.var
  const body = await readBody(c, Body)
  const { email } = body
  const challenge = readChallenge(body)
  const redirectTo = redirectTarget(c)
  await withSendCooldown(services, { kind: 'recovery', email }, () =>
    services.db.asOwner('recover', async (tx) => {
      const user = await findUser(tx, { email }, { lock: true })
      const actor = user ?? unknownActor
      await audit(tx, { action: 'user_recovery_requested', actor, client: clientOf(c) })
      await forUserOrObfuscated(tx, services, { user, address: { email } }, (account, to) =>
        enqueueLinkEmail(tx, services, { user: account, email: to, type: 'recovery', redirectTo, challenge }),
      )
    }),
  )
  return c.json({})
}
