import { z } from 'zod'
import { clientOf, type Endpoint, type Services } from '../context.ts'
import { AuthError, mfaErrors } from '../errors.ts'
import { readBody } from '../request-body.ts'
import { tokenResponse } from '../sessions/lifecycle.ts'
import { liftSession } from './lift-session.ts'
import { recoveryFactorOf, takeCode } from './recovery-codes.ts'
import { notingRefusals } from './refusals.ts'

const Body = z.object({ code: z.string('Code needs to be non-empty').min(1).max(64, 'code is too long') })

/** POST /factors/recovery-codes/verify: the same session at aal2, for a code that is then used up. */
export const verifyRecoveryCode: Endpoint = async (c) => {
  const { services, member } = c.var
  const { code } = await readBody(c, Body)
  const factor = recoveryFactorOf(member.user)
  const client = clientOf(c)
  const traits = { factor_id: factor.id, factor_type: factor.factor_type }
  const issued = await notingRefusals(services, { actor: member.user, client, traits }, async () => {
    await countGuess(services, member.user.id)
    return services.db.asOwner('recovery code', async (tx) => {
      const at = new Date(services.now()).toISOString()
      if (!(await takeCode(tx, factor.id, code, at))) throw mfaErrors.wrongCode()
      return liftSession(tx, services, { ...member, factor, client })
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
