import { z } from 'zod'
import { clientOf, type Endpoint } from '../context.ts'
import { readBody } from '../request-body.ts'
import { refresh } from '../sessions/refresh.ts'
import { tokenResponse } from '../sessions/start.ts'

const Body = z.object({
  refresh_token: z.string('refresh_token is required').regex(/^[\w-]{12,256}$/, 'Refresh token is not valid'),
})

/** POST /token?grant_type=refresh_token: the next pair of tokens of a session. */
export const refreshSession: Endpoint = async (c) => {
  const { services } = c.var
  const { refresh_token: token } = await readBody(c, Body)
  const outcome = await services.db.asOwner('refresh', (tx) => refresh(tx, services, token, clientOf(c)))
  if ('ended' in outcome) throw outcome.ended
  return c.json(await tokenResponse(services, outcome.issued))
}
