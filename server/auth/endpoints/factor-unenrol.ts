import { audit } from '../audit.ts'
import { clientOf } from '../client.ts'
import type { Endpoint } from '../context.ts'
import { mustHaveProvedEnough } from '../factors/assurance.ts'
import { factorErrors } from '../factors/errors.ts'
import { idInPath } from '../factors/fields.ts'
import { removeFactor } from '../factors/remove.ts'
import { findFactor } from '../factors/repository.ts'

/** DELETE /factors/{factor_id}: a verified one only in a session that has given a second factor. */
export const unenrolFactor: Endpoint = async (c) => {
  const { services, member } = c.var
  const id = idInPath(c, 'factor_id')
  await services.db.asOwner('unenrol factor', async (tx) => {
    const factor = await findFactor(tx, id, member.user.id)
    if (!factor) throw factorErrors.notFound()
    if (factor.status === 'verified')
      mustHaveProvedEnough(member, 422, 'AAL2 required to unenroll verified factor')
    await removeFactor(tx, member.user.id, id)
    const traits = { factor_id: id, factor_type: factor.factor_type, factor_status: factor.status }
    await audit(tx, { action: 'factor_unenrolled', actor: member.user, client: clientOf(c), traits })
  })
  return c.json({ id })
}
