import type { Hono, MiddlewareHandler } from 'hono'
import type { AuthEnv } from './context.ts'
import { deleteAnyFactor, listAnyFactors, updateAnyFactor } from './endpoints/admin-factors.ts'
import { listAnyPasskeys, removeAnyPasskey } from './endpoints/admin-passkeys.ts'
import { challengeFactor } from './endpoints/factor-challenge.ts'
import { enrolFactor } from './endpoints/factor-enrol.ts'
import { unenrolFactor } from './endpoints/factor-unenrol.ts'
import { verifyChallenge } from './endpoints/factor-verify.ts'
import { passkeyRequestOptions, signInWithPasskey } from './endpoints/passkey-authentication.ts'
import { passkeyCreationOptions, registerPasskey } from './endpoints/passkey-registration.ts'
import { listPasskeys, removePasskey, updatePasskey } from './endpoints/passkeys.ts'
import {
  generateRecoveryCodes,
  recoveryCodesStatus,
  regenerateRecoveryCodes,
  removeRecoveryCodes,
} from './endpoints/recovery-codes.ts'
import { verifyRecoveryCode } from './endpoints/recovery-codes-verify.ts'
import { limit, requireMember } from './guards.ts'

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

/** A living session; what else it must have proved, each handler says. */
function routeOwnFactors(auth: Hono<AuthEnv>, { key }: Guards) {
  auth.use('/factors', key, requireMember, limit('factor'))
  auth.use('/factors/*', key, requireMember, limit('factor'))
  auth.get('/factors/recovery-codes', recoveryCodesStatus)
  auth.post('/factors/recovery-codes', generateRecoveryCodes)
  auth.delete('/factors/recovery-codes', removeRecoveryCodes)
  auth.post('/factors/recovery-codes/verify', verifyRecoveryCode)
  auth.post('/factors/recovery-codes/regenerate', regenerateRecoveryCodes)
  auth.post('/factors', enrolFactor)
  auth.post('/factors/:factor_id/challenge', challengeFactor)
  auth.post('/factors/:factor_id/verify', verifyChallenge)
  auth.delete('/factors/:factor_id', unenrolFactor)
}

/** Signing in needs a key only, the rest a living session. */
function routePasskeys(auth: Hono<AuthEnv>, { key, human }: Guards) {
  const often = limit('passkey')
  auth.post('/passkeys/authentication/options', key, often, human, passkeyRequestOptions)
  auth.post('/passkeys/authentication/verify', key, often, signInWithPasskey)
  auth.post('/passkeys/registration/options', key, requireMember, often, passkeyCreationOptions)
  auth.post('/passkeys/registration/verify', key, requireMember, often, registerPasskey)
  auth.get('/passkeys', key, requireMember, listPasskeys)
  auth.patch('/passkeys/:passkey_id', key, requireMember, often, updatePasskey)
  auth.delete('/passkeys/:passkey_id', key, requireMember, often, removePasskey)
}
