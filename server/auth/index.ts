import type { Hono, MiddlewareHandler } from 'hono'
import { every } from 'hono/combine'
import { generateLink, invite } from './admin/links.ts'
import { listAllUsers, listAudit } from './admin/lists.ts'
import { createUser, deleteAnyUser, getAnyUser, updateAnyUser } from './admin/users.ts'
import { type AuthDeps, type AuthEnv, createServices } from './context.ts'
import { handleEmails } from './emails.ts'
import { health, jwks, settings } from './endpoints/about.ts'
import { byGrant } from './endpoints/token.ts'
import { authErrors } from './errors.ts'
import { routeFactors } from './factor-routes.ts'
import { removeIdentity } from './identities/link.ts'
import {
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
import { reauthenticate } from './password/change-password.ts'
import { recover } from './password/recover.ts'
import { signInWithPassword } from './password/sign-in.ts'
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
import { handleSms } from './sms/queue.ts'
import { changesCredentials, getUser, putUser, TO_CHANGE_CREDENTIALS } from './users/update-user.ts'

/**
 * The account service, to be mounted at /auth/v1. This file is the map of permissions: who may call what.
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
  forAdmins(auth, guards)
  routeFactors(auth, guards)
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
  auth.get('/settings', key, settings)
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

/** A key, and the access token of a living session; what changes the ways in asks for the second factor too. */
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
