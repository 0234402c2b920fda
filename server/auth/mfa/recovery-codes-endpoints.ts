import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Transaction } from '#server/database/port.ts'
import { audit } from '../audit.ts'
import { type AuthContext, clientOf, type Endpoint } from '../context.ts'
import { notifyAccountChange } from '../emails.ts'
import { mfaErrors } from '../errors.ts'
import { optional, readOptionalBody } from '../request-body.ts'
import type { UserRow } from '../users/user.ts'
import { hasSecondFactor, lockMember } from './assurance.ts'
import { factorName } from './fields.ts'
import { countCodes, recoveryFactorOf, replaceCodes } from './recovery-codes.ts'
import { removeFactor } from './remove.ts'
import { insertFactor } from './repository.ts'

const Body = z.object({ friendly_name: optional(factorName) })
const DEFAULT_NAME = 'Recovery codes'
const type = 'recovery_code'

/** GET /factors/recovery-codes: how many are left, never which. */
export const recoveryCodesStatus: Endpoint = async (c) => {
  const { id } = recoveryFactorOf(c.var.member.user)
  const counts = await c.var.services.db.asOwner('recovery codes', (tx) => countCodes(tx, id))
  return c.json({ id, type, ...counts })
}

/** POST /factors/recovery-codes: the first set, for an account with a second factor, in a session that has given it. */
export const generateRecoveryCodes: Endpoint = async (c) => {
  const { friendly_name: name = DEFAULT_NAME } = await readOptionalBody(c, Body)
  if (!hasSecondFactor(c.var.member.user)) throw mfaErrors.soleFactor()
  return change(c, async (tx, user, at) => {
    if (user.factors.some((factor) => factor.factor_type === type)) throw mfaErrors.recoveryCodesExist()
    if (user.factors.some((factor) => factor.friendly_name === name)) throw mfaErrors.nameTaken()
    const id = randomUUID()
    await insertFactor(tx, { id, userId: user.id, type, name, status: 'verified', at })
    return show(c, tx, { user, id, name, at })
  })
}

/** POST /factors/recovery-codes/regenerate: a new set; none of the old one works any more. */
export const regenerateRecoveryCodes: Endpoint = async (c) =>
  change(c, (tx, user, at) => {
    const { id, friendly_name: name } = recoveryFactorOf(user)
    return show(c, tx, { user, id, name: name ?? '', at })
  })

/** DELETE /factors/recovery-codes */
export const removeRecoveryCodes: Endpoint = async (c) =>
  change(c, async (tx, user) => {
    const { id } = recoveryFactorOf(user)
    await removeFactor(tx, user.id, id)
    await audit(tx, { action: 'recovery_codes_deleted', actor: user, client: clientOf(c) })
    await notifyAccountChange(tx, c.var.services, user, 'factorRemoved', DEFAULT_NAME)
    return { id }
  })

/** With the account locked, so that two tabs do not make two sets. Errors: insufficient_aal. */
async function change(
  c: AuthContext,
  work: (tx: Transaction, user: UserRow, at: string) => Promise<Record<string, unknown>>,
): Promise<Response> {
  const { services, member } = c.var
  const at = new Date(services.now()).toISOString()
  const answer = await services.db.asOwner('recovery codes', async (tx) => {
    const { user } = await lockMember(tx, member, { now: services.now() })
    return work(tx, user, at)
  })
  return c.json(answer)
}

interface Set {
  user: UserRow
  id: string
  name: string
  at: string
}

async function show(c: AuthContext, tx: Transaction, { user, id, name, at }: Set) {
  const codes = await replaceCodes(tx, id, at)
  await audit(tx, { action: 'generate_recovery_codes', actor: user, client: clientOf(c) })
  await notifyAccountChange(tx, c.var.services, user, 'recoveryCodesMade')
  return { id, type, friendly_name: name, total: codes.length, codes }
}
