import { z } from 'zod'
import { audit } from '../audit.ts'
import { clientOf } from '../client.ts'
import type { Endpoint } from '../context.ts'
import { withSendCooldown } from '../emails.ts'
import { challengeFields, email } from '../fields.ts'
import { enqueueLinkEmail } from '../link-email.ts'
import { readChallenge } from '../pkce.ts'
import { readBody } from '../read-body.ts'
import { redirectTarget } from '../redirects.ts'
import { findUser } from '../users/repository.ts'

const Body = z.object({ email, ...challengeFields })

/** POST /recover: a mail that leads to a new password. The same answer for unknown addresses, after the same pause. */
export const recover: Endpoint = async (c) => {
  const { services } = c.var
  const body = await readBody(c, Body)
  const { email } = body
  const challenge = readChallenge(body)
  const redirectTo = redirectTarget(c)
  await withSendCooldown(services, { kind: 'recovery', email }, () =>
    services.db.asOwner('recover', async (tx) => {
      const user = await findUser(tx, { email }, { lock: true })
      if (!user) return
      await audit(tx, { action: 'user_recovery_requested', actor: user, client: clientOf(c) })
      await enqueueLinkEmail(tx, services, { user, email, type: 'recovery', redirectTo, challenge })
    }),
  )
  return c.json({})
}
