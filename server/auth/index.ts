import type { Hono, MiddlewareHandler } from 'hono'
import { every } from 'hono/combine'
import { generateLink, invite } from './admin/links.ts'
import { listAllUsers, listAudit } from './admin/lists.ts'
import { createUser, deleteAnyUser, getAnyUser, updateAnyUser } from './admin/users.ts'
import { type AuthDeps, type AuthEnv, createServices, type Endpoint } from './context.ts'
import { handleEmails } from './emails.ts'
import { authErrors } from './errors.ts'
import { removeIdentity } from './identities/link.ts'
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
import {
  byGrant,
  createApp,
  ifForm,
  limit,
  limitMessages,
  requireAal2IfEnrolled,
  requireAdmin,
  requireCaptcha,
  requireKey,
  requireMember,
} from './middleware.ts'
import { memberIfLinking, signInWithIdToken } from './oauth/id-token-grant.ts'
import { authorize, authorizeLink, callback, callbackForm } from './oauth/sign-in.ts'
import { resend, sendOtp } from './otp/send-otp.ts'
import { verify } from './otp/verify.ts'
import { openLink, pressButton } from './otp/verify-link.ts'
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
import { reauthenticate } from './password/change-password.ts'
import { recover, signInWithPassword } from './password/sign-in.ts'
import { signUp } from './password/sign-up.ts'
import {
  changeSsoProvider,
  createSsoProvider,
  getSsoProvider,
  listAllSsoProviders,
  removeSsoProvider,
} from './saml/admin.ts'
import { samlMetadata } from './saml/service-provider.ts'
import { consumeAssertion, signOn } from './saml/sign-on.ts'
import { logOut, refreshSession } from './sessions/lifecycle.ts'
import { exchangeCode } from './sessions/session-redirect.ts'
import { handleSms } from './sms.ts'
import { changesCredentials, getUser, putUser, TO_CHANGE_CREDENTIALS } from './users/update-user.ts'

/**
 * The account service, to be mounted at /auth/v1. This file is the map of permissions: who may call what, with
 * the few facts about the service that anybody may ask for.
 * What a handler needs beyond its guards, it says by the error that it throws.
 */
export function createAuth(deps: AuthDeps): Hono<AuthEnv> {
  const services = createServices(deps)
  handleEmails(services)
  handleSms(services)
  const auth = createApp(services)
  const guards = { key: requireKey(deps), human: requireCaptcha(deps), admin: requireAdmin(deps) }
  forAnybody(auth)
  forKeyHolders(auth, guards)
  forMembers(auth, guards)
  forFactors(auth, guards)
  forPasskeys(auth, guards)
  forAdmins(auth, guards)
  auth.all('*', noRoute)
  return auth
}

type Guards = Readonly<Record<'key' | 'human' | 'admin', MiddlewareHandler<AuthEnv>>>

function forAnybody(auth: Hono<AuthEnv>) {
  auth.get('/.well-known/jwks.json', jwks)
  auth.get('/verify', limit('verify'), openLink)
  // Browsers are sent to these two, which they open without a key.
  auth.get('/authorize', limit('signIn'), authorize)
  auth.get('/callback', limit('verify'), callback)
  auth.post('/callback', limit('verify'), callbackForm)
  // Identity providers of organisations read the one and post to the other.
  auth.get('/sso/saml/metadata', samlMetadata)
  auth.post('/sso/saml/acs', limit('verify'), consumeAssertion)
}

/** Either of the two API keys. */
function forKeyHolders(auth: Hono<AuthEnv>, { key, human }: Guards) {
  auth.get('/health', key, health)
  auth.get('/settings', key, publicSettings)
  auth.post('/signup', key, limit('signIn'), human, limitMessages, signUp)
  auth.post(
    '/token',
    key,
    byGrant({
      password: every(limit('signIn'), human, signInWithPassword),
      refresh_token: every(limit('refresh'), refreshSession),
      pkce: every(limit('signIn'), exchangeCode),
      id_token: every(limit('signIn'), human, memberIfLinking, signInWithIdToken),
    }),
  )
  auth.post('/otp', key, limit('send'), human, limitMessages, sendOtp)
  auth.post('/recover', key, limit('send'), human, limitMessages, recover)
  auth.post('/sso', key, limit('signIn'), human, signOn)
  auth.post('/resend', key, limit('send'), human, limitMessages, resend)
  // A mail's link leads to a page without a key; its button comes as a form.
  auth.post('/verify', limit('verify'), ifForm(pressButton), key, verify)
}

/** A key, and the access token of a living session; what changes how one signs in asks for the second factor too. */
function forMembers(auth: Hono<AuthEnv>, { key }: Guards) {
  auth.get('/user', key, requireMember, getUser)
  const mfaToChange = requireAal2IfEnrolled({ ...TO_CHANGE_CREDENTIALS, when: changesCredentials })
  auth.put('/user', key, requireMember, limit('user'), mfaToChange, putUser)
  const asOwner = every(key, requireMember, limit('user'), requireAal2IfEnrolled())
  auth.get('/user/identities/authorize', asOwner, authorizeLink)
  auth.delete('/user/identities/:id', asOwner, removeIdentity)
  auth.get('/reauthenticate', key, requireMember, limit('send'), reauthenticate)
  auth.post('/logout', key, requireMember, logOut)
}

/** Second factors of a living session. What is there is changed at aal2; to answer a challenge is how a session gets there. */
function forFactors(auth: Hono<AuthEnv>, { key }: Guards) {
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

/** Passkeys: signing in needs a key only, the rest a living session. */
function forPasskeys(auth: Hono<AuthEnv>, { key, human }: Guards) {
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

/** The secret key. */
function forAdmins(auth: Hono<AuthEnv>, { key, admin }: Guards) {
  auth.use('/admin/*', key, admin)
  auth.get('/admin/users', listAllUsers)
  auth.post('/admin/users', createUser)
  auth.get('/admin/users/:id', getAnyUser)
  auth.put('/admin/users/:id', updateAnyUser)
  auth.delete('/admin/users/:id', deleteAnyUser)
  auth.post('/admin/generate_link', generateLink)
  auth.get('/admin/audit', listAudit)
  auth.get('/admin/users/:id/factors', listAnyFactors)
  auth.put('/admin/users/:id/factors/:factor_id', updateAnyFactor)
  auth.delete('/admin/users/:id/factors/:factor_id', deleteAnyFactor)
  auth.get('/admin/users/:id/passkeys', listAnyPasskeys)
  auth.delete('/admin/users/:id/passkeys/:passkey_id', removeAnyPasskey)
  auth.get('/admin/sso/providers', listAllSsoProviders)
  auth.post('/admin/sso/providers', createSsoProvider)
  auth.get('/admin/sso/providers/:id', getSsoProvider)
  auth.put('/admin/sso/providers/:id', changeSsoProvider)
  auth.delete('/admin/sso/providers/:id', removeSsoProvider)
  auth.post('/invite', key, admin, invite)
}

/** Mounted in a larger app, this one has to say itself what is not there. */
const noRoute = (): never => {
  throw authErrors.noRoute()
}

/** How long clients may go on with keys that they have seen; a rotation announces itself by an unknown `kid`. */
const JWKS_MAX_AGE = 600

/** GET /.well-known/jwks.json: the public keys that access tokens can be checked with. */
const jwks: Endpoint = async (c) => {
  c.header('Cache-Control', `public, max-age=${JWKS_MAX_AGE}`)
  return c.json({ keys: await c.var.services.keySet.published() })
}

/** GET /health */
const health: Endpoint = async (c) => {
  await c.var.services.db.asOwner('health', (tx) => tx.query('select 1'))
  return c.json({
    name: 'GoTrue',
    version: 'walking-together',
    description: 'GoTrue-compatible account service',
  })
}

/** Providers that clients look for by name, whether they are set up or not. */
const WELL_KNOWN = ['apple', 'azure', 'facebook', 'github', 'google', 'keycloak']

/** GET /settings: how one can sign in here. */
const publicSettings: Endpoint = async (c) => {
  const { settings, sms } = c.var.services
  const names = [...new Set([...WELL_KNOWN, ...settings.providers.keys()])]
  const providers = Object.fromEntries(names.map((name) => [name, settings.providers.has(name)]))
  return c.json({
    external: { ...providers, email: true, phone: true, anonymous_users: settings.anonymous },
    disable_signup: settings.disableSignup,
    mailer_autoconfirm: settings.autoconfirm,
    phone_autoconfirm: settings.autoconfirm,
    sms_provider: sms.name,
    saml_enabled: settings.saml,
    passkeys_enabled: true,
  })
}
