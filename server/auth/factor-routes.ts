import type { Hono, MiddlewareHandler } from 'hono'
import type { AuthEnv } from './context.ts'
import { deleteAnyFactor, listAnyFactors, updateAnyFactor } from './mfa/admin.ts'
import { challengeFactor } from './mfa/challenge.ts'
import { enrollFactor, isFactorVerified, TO_ENROLL, TO_UNENROLL, unenrollFactor } from './mfa/enroll.ts'
import {
  generateRecoveryCodes,
  recoveryCodesStatus,
  regenerateRecoveryCodes,
  removeRecoveryCodes,
  verifyRecoveryCode,
} from './mfa/recovery-codes.ts'
import { verifyChallenge } from './mfa/verify.ts'
import { limit, requireAal2IfEnrolled, requireMember } from './middleware.ts'
import { passkeyRequestOptions, signInWithPasskey } from './passkeys/authentication.ts'
import {
  listAnyPasskeys,
  listPasskeys,
  removeAnyPasskey,
  removePasskey,
  TO_REMOVE_PASSKEY,
  updatePasskey,
} from './passkeys/passkeys.ts'
import { passkeyCreationOptions, registerPasskey, TO_ADD_PASSKEY } from './passkeys/registration.ts'

type Guards = Readonly<Record<'key' | 'human', MiddlewareHandler<AuthEnv>>>

/** The map's page on second factors and passkeys. `/admin/*` is guarded before it gets here. */
export function routeFactors(auth: Hono<AuthEnv>, guards: Guards): void {
  routeOwnFactors(auth, guards)
  routePasskeys(auth, guards)
  auth.get('/admin/users/:id/factors', listAnyFactors)
  auth.put('/admin/users/:id/factors/:factor_id', updateAnyFactor)
  auth.delete('/admin/users/:id/factors/:factor_id', deleteAnyFactor)
  auth.get('/admin/users/:id/passkeys', listAnyPasskeys)
  auth.delete('/admin/users/:id/passkeys/:passkey_id', removeAnyPasskey)
}

/** A living session. What is there is changed at aal2; to answer a challenge is how a session gets there. */
function routeOwnFactors(auth: Hono<AuthEnv>, { key }: Guards) {
  auth.use('/factors', key, requireMember, limit('factor'))
  auth.use('/factors/*', key, requireMember, limit('factor'))
  auth.get('/factors/recovery-codes', recoveryCodesStatus)
  const aal2 = requireAal2IfEnrolled()
  auth.post('/factors/recovery-codes', aal2, generateRecoveryCodes)
  auth.delete('/factors/recovery-codes', aal2, removeRecoveryCodes)
  auth.post('/factors/recovery-codes/verify', verifyRecoveryCode)
  auth.post('/factors/recovery-codes/regenerate', aal2, regenerateRecoveryCodes)
  auth.post('/factors', requireAal2IfEnrolled(TO_ENROLL), enrollFactor)
  auth.post('/factors/:factor_id/challenge', challengeFactor)
  auth.post('/factors/:factor_id/verify', verifyChallenge)
  const toUnenroll = requireAal2IfEnrolled({ ...TO_UNENROLL, when: isFactorVerified })
  auth.delete('/factors/:factor_id', toUnenroll, unenrollFactor)
}

/** Signing in needs a key only, the rest a living session. */
function routePasskeys(auth: Hono<AuthEnv>, { key, human }: Guards) {
  const often = limit('passkey')
  auth.post('/passkeys/authentication/options', key, often, human, passkeyRequestOptions)
  auth.post('/passkeys/authentication/verify', key, often, signInWithPasskey)
  const toAdd = requireAal2IfEnrolled(TO_ADD_PASSKEY)
  auth.post('/passkeys/registration/options', key, requireMember, often, toAdd, passkeyCreationOptions)
  auth.post('/passkeys/registration/verify', key, requireMember, often, toAdd, registerPasskey)
  auth.get('/passkeys', key, requireMember, listPasskeys)
  auth.patch('/passkeys/:passkey_id', key, requireMember, often, updatePasskey)
  const toRemove = requireAal2IfEnrolled(TO_REMOVE_PASSKEY)
  auth.delete('/passkeys/:passkey_id', key, requireMember, often, toRemove, removePasskey)
}
