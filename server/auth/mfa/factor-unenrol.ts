import { audit } from '../audit.ts'
import { type AuthContext, clientOf, type Endpoint } from '../context.ts'
import { notifyAccountChange } from '../emails.ts'
import { mfaErrors } from '../errors.ts'
import { lockMember, mustBeAal2IfEnrolled } from './assurance.ts'
import { idInPath } from './fields.ts'
import { removeFactor } from './remove.ts'
import { findFactor } from './repository.ts'

export const TO_UNENROLL = { status: 422, message: 'AAL2 required to unenroll verified factor' } as const

/** An enrolment that was given up protects nothing, and may go at any level. */
export const isFactorVerified = (c: AuthContext): boolean => {
  const id = idInPath(c, 'factor_id').toLowerCase()
  return c.var.member.user.factors.some((factor) => factor.id === id && factor.status === 'verified')
}

/** DELETE /factors/{factor_id}: a verified one only in a session that has given a second factor. */
export const unenrolFactor: Endpoint = async (c) => {
  const { services, member } = c.var
  const id = idInPath(c, 'factor_id')
  await services.db.asOwner('unenrol factor', async (tx) => {
    const current = await lockMember(tx, member, { now: services.now(), aal2: false })
    const factor = await findFactor(tx, id, member.user.id)
    if (!factor) throw mfaErrors.notFound()
    if (factor.status === 'verified') mustBeAal2IfEnrolled(current, TO_UNENROLL)
    await removeFactor(tx, member.user.id, id)
    const traits = { factor_id: id, factor_type: factor.factor_type, factor_status: factor.status }
    await audit(tx, { action: 'factor_unenrolled', actor: member.user, client: clientOf(c), traits })
    if (factor.status === 'verified')
      await notifyAccountChange(tx, services, member.user, 'factorRemoved', factor.friendly_name ?? undefined)
  })
  return c.json({ id })
}
