import { z } from 'zod'
import { userIdOf, userToChange } from '../admin/users.ts'
import { audit, traitsOf } from '../audit.ts'
import { type AuthContext, clientOf, type Endpoint, nowIso } from '../context.ts'
import { notifyAccountChange } from '../emails.ts'
import { authErrors, mfaErrors } from '../errors.ts'
import { optional, phone, readBody } from '../request-body.ts'
import { reload } from '../users/accounts.ts'
import { findUser } from '../users/queries.ts'
import { type FactorRow, renderFactor, type UserRow } from '../users/user.ts'
import { removeFactor } from './enroll.ts'
import { factorName, idInPath, refuseTakenName, updateFactor } from './factors.ts'

/** GET /admin/users/{id}/factors */
export const listAnyFactors: Endpoint = async (c) => {
  const id = userIdOf(c)
  const user = await c.var.services.db.asOwner('list factors', (tx) => findUser(tx, { id }))
  if (!user) throw authErrors.userNotFound()
  return c.json(user.factors.map(renderFactor))
}

const Body = z.object({ friendly_name: optional(factorName), phone: optional(phone) })

/** PUT /admin/users/{id}/factors/{factor_id}: name, and for a phone its number. */
export const updateAnyFactor: Endpoint = async (c) => {
  const { db, now } = c.var.services
  const [id, factorId] = [userIdOf(c), idInPath(c, 'factor_id')]
  const { friendly_name: name, phone } = await readBody(c, Body)
  const factor = await db
    .asOwner('update factor', async (tx) => {
      const user = await userToChange(tx, id)
      const isPhone = factorOf(user, factorId).factor_type === 'phone'
      if (phone && !isPhone) throw authErrors.invalid('Only a phone factor has a phone number')
      await updateFactor(tx, factorId, {
        ...(name && { friendly_name: name }),
        ...(phone && { phone }),
        updated_at: nowIso({ now }),
      })
      await audit(tx, { action: 'factor_updated', ...byService(c, user, factorId) })
      return factorOf(await reload(tx, id), factorId)
    })
    .catch(refuseTakenName)
  return c.json(renderFactor(factor))
}

/** DELETE /admin/users/{id}/factors/{factor_id}: the way back for somebody who has lost a phone. */
export const deleteAnyFactor: Endpoint = async (c) => {
  const [id, factorId] = [userIdOf(c), idInPath(c, 'factor_id')]
  const factor = await c.var.services.db.asOwner('delete factor', async (tx) => {
    const user = await userToChange(tx, id)
    const found = factorOf(user, factorId)
    await removeFactor(tx, id, factorId)
    await audit(tx, { action: 'factor_deleted', ...byService(c, user, factorId) })
    if (found.status === 'verified')
      await notifyAccountChange(tx, c.var.services, user, 'factorRemoved', found.friendly_name ?? undefined)
    return found
  })
  return c.json(renderFactor(factor))
}

function factorOf({ factors }: UserRow, id: string): FactorRow {
  const factor = factors.find((each) => each.id === id.toLowerCase())
  if (!factor) throw mfaErrors.notFound()
  return factor
}

const byService = (c: AuthContext, user: UserRow, factorId: string) => ({
  actor: undefined,
  client: clientOf(c),
  traits: { ...traitsOf(user), factor_id: factorId },
})
