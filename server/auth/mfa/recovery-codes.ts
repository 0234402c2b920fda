import { randomInt, randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Transaction } from '#server/database/port.ts'
import { audit, auditRefusals } from '../audit.ts'
import { type AuthContext, clientOf, type Endpoint, nowIso, type Services } from '../context.ts'
import { notifyAccountChange } from '../emails.ts'
import { AuthError, mfaErrors } from '../errors.ts'
import { optional, readBody, readOptionalBody } from '../request-body.ts'
import { digest } from '../secrets.ts'
import { tokenResponse } from '../sessions/lifecycle.ts'
import type { FactorRow, UserRow } from '../users/user.ts'
import { hasSecondFactor, lockMember, upgradeSession } from './assurance.ts'
import { removeFactor } from './enroll.ts'
import { factorName, insertFactor } from './factors.ts'

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
  return changeCodes(c, async (tx, user, at) => {
    if (user.factors.some((factor) => factor.factor_type === type)) throw mfaErrors.recoveryCodesExist()
    if (user.factors.some((factor) => factor.friendly_name === name)) throw mfaErrors.nameTaken()
    const id = randomUUID()
    await insertFactor(tx, { id, userId: user.id, type, name, status: 'verified', at })
    return issueCodes(c, tx, { user, id, name, at })
  })
}

/** POST /factors/recovery-codes/regenerate: a new set; none of the old one works any more. */
export const regenerateRecoveryCodes: Endpoint = async (c) =>
  changeCodes(c, (tx, user, at) => {
    const { id, friendly_name: name } = recoveryFactorOf(user)
    return issueCodes(c, tx, { user, id, name: name ?? '', at })
  })

/** DELETE /factors/recovery-codes */
export const removeRecoveryCodes: Endpoint = async (c) =>
  changeCodes(c, async (tx, user) => {
    const { id } = recoveryFactorOf(user)
    await removeFactor(tx, user.id, id)
    await audit(tx, { action: 'recovery_codes_deleted', actor: user, client: clientOf(c) })
    await notifyAccountChange(tx, c.var.services, user, 'factorRemoved', DEFAULT_NAME)
    return { id }
  })

/** With the account locked, so that two tabs do not make two sets. Errors: insufficient_aal. */
async function changeCodes(
  c: AuthContext,
  work: (tx: Transaction, user: UserRow, at: string) => Promise<Record<string, unknown>>,
): Promise<Response> {
  const { services, member } = c.var
  const at = nowIso(services)
  const answer = await services.db.asOwner('recovery codes', async (tx) => {
    const { user } = await lockMember(tx, member, { now: services.now() })
    return work(tx, user, at)
  })
  return c.json(answer)
}

interface CodeSet {
  user: UserRow
  id: string
  name: string
  at: string
}

async function issueCodes(c: AuthContext, tx: Transaction, { user, id, name, at }: CodeSet) {
  const codes = await replaceCodes(tx, id, at)
  await audit(tx, { action: 'generate_recovery_codes', actor: user, client: clientOf(c) })
  await notifyAccountChange(tx, c.var.services, user, 'recoveryCodesMade')
  return { id, type, friendly_name: name, total: codes.length, codes }
}

const CodeBody = z.object({ code: z.string('Code needs to be non-empty').min(1).max(64, 'code is too long') })

/** POST /factors/recovery-codes/verify: the same session at aal2, for a code that is then used up. */
export const verifyRecoveryCode: Endpoint = async (c) => {
  const { services, member } = c.var
  const { code } = await readBody(c, CodeBody)
  const factor = recoveryFactorOf(member.user)
  const client = clientOf(c)
  const traits = { factor_id: factor.id, factor_type: factor.factor_type }
  const issued = await auditRefusals(services, { actor: member.user, client, traits }, async () => {
    await countGuess(services, member.user.id)
    return services.db.asOwner('recovery code', async (tx) => {
      const at = nowIso(services)
      if (!(await takeCode(tx, factor.id, code, at))) throw mfaErrors.wrongCode()
      return upgradeSession(tx, services, { ...member, factor, client })
    })
  })
  await services.limits.forget('code', guessesOf(member.user.id))
  return c.json(await tokenResponse(services, issued))
}

const guessesOf = (userId: string): string => `recovery:${userId}`

/** Apart from the other factors' guesses: codes are the way out when those are used up. Errors: mfa_recovery_codes_locked. */
const countGuess = ({ limits }: Services, userId: string): Promise<void> =>
  limits.count('code', guessesOf(userId)).catch((error) => {
    throw error instanceof AuthError && error.status === 429
      ? mfaErrors.recoveryCodesLocked(error.retryAfter)
      : error
  })

const HOW_MANY = 10
const LENGTH = 16
/** Without letters and digits that look alike. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz'

/** The factor that stands for a user's set of codes. Errors: mfa_factor_not_found. */
function recoveryFactorOf({ factors }: Pick<UserRow, 'factors'>): FactorRow {
  const factor = factors.find(({ factor_type: type }) => type === 'recovery_code')
  if (!factor) throw mfaErrors.notFound()
  return factor
}

const newCode = (): string =>
  Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

/** Ten new codes in place of those that were there. They are in no other place than this answer. */
async function replaceCodes(tx: Transaction, factorId: string, at: string): Promise<string[]> {
  const codes = Array.from({ length: HOW_MANY }, newCode)
  await tx.query('delete from auth.mfa_recovery_codes where factor_id = $1', [factorId])
  for (const code of codes) {
    await tx.query(
      'insert into auth.mfa_recovery_codes (id, factor_id, code_hash, created_at) values ($1, $2, $3, $4)',
      [randomUUID(), factorId, digest(code), at],
    )
  }
  return codes
}

/** Uses a code up: of two requests with one code, one gets false. Case, blanks and dashes do not matter. */
async function takeCode(tx: Transaction, factorId: string, typed: string, at: string): Promise<boolean> {
  const code = typed.toLowerCase().replaceAll(/[\s-]/g, '')
  const { affected } = await tx.query(
    'update auth.mfa_recovery_codes set used_at = $3 where factor_id = $1 and code_hash = $2 and used_at is null',
    [factorId, digest(code), at],
  )
  return affected > 0
}

async function countCodes(tx: Transaction, factorId: string): Promise<{ total: number; remaining: number }> {
  const { rows } = await tx.query<{ total: number; remaining: number }>(
    `select count(*) as total, count(*) filter (where used_at is null) as remaining
     from auth.mfa_recovery_codes where factor_id = $1`,
    [factorId],
  )
  return rows[0] ?? { total: 0, remaining: 0 }
}
