import { z } from 'zod'
import { clientOf, type Endpoint } from '../context.ts'
import { mfaErrors } from '../errors.ts'
import { channel, optional, readOptionalBody } from '../request-body.ts'
import { askFor } from './ask.ts'
import { idInPath } from './fields.ts'
import { findFactor } from './repository.ts'

/** auth-js names the relying party here too; the site's own address decides about that. */
const Body = z.object({ channel: optional(channel) })

/** POST /factors/{factor_id}/challenge: asks for a second factor; a code goes to its phone. */
export const challengeFactor: Endpoint = async (c) => {
  const { services, member } = c.var
  const id = idInPath(c, 'factor_id')
  const { channel = 'sms' } = await readOptionalBody(c, Body)
  const factor = await services.db.asOwner('find factor', (tx) => findFactor(tx, id, member.user.id))
  if (!factor) throw mfaErrors.notFound()
  return c.json(await askFor(services, member, { factor, channel, client: clientOf(c) }))
}
