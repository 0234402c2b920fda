import { z } from 'zod'
import { networkOf } from '#server/http/admission.ts'
import { audit, unknownActor } from '../audit.ts'
import { type Client, clientOf, type Endpoint, type Services } from '../context.ts'
import { enqueueLinkEmail } from '../emails.ts'
import { authErrors } from '../errors.ts'
import { withSendCooldown } from '../rate-limits.ts'
import { redirectTarget } from '../redirects.ts'
import { challengeFields, email, optional, password, phone, readBody } from '../request-body.ts'
import { readChallenge } from '../secrets.ts'
import { startSession, tokenResponse } from '../sessions/lifecycle.ts'
import { forUserOrObfuscated } from '../users/obfuscated-user.ts'
import { findUser } from '../users/queries.ts'
import { isBanned, type UserRow } from '../users/user.ts'
import { isPasswordOf, weaknessOf } from './passwords.ts'

const Body = z.object({ email: optional(email), phone: optional(phone), password: optional(password) })

/** POST /token?grant_type=password. An unknown address, and an account without a password, look like a wrong one. */
export const signInWithPassword: Endpoint = async (c) => {
  const { services } = c.var
  const { email, phone, password = '' } = await readBody(c, Body)
  if (!email === !phone) {
    throw authErrors.invalid('Only an email address or phone number should be provided on login.')
  }
  const by = email ? { email } : { phone: phone ?? '' }
  const account = email ?? phone ?? ''
  const client = clientOf(c)
  await services.limits.countGuess(account, networkOf(client.address))
  const user = await services.db.asOwner('sign-in', (tx) => findUser(tx, by))
  const { admission } = services
  const isRight = await admission.passwords.run(admission.clientOf(c), () =>
    isPasswordOf(user?.encrypted_password, password),
  )
  if (!isRight || !user) {
    await noteFailure(services, user ?? unknownActor, client)
    throw authErrors.invalidCredentials()
  }
  mayEnter(user, by, services.now())
  const issued = await services.db.asOwner('sign-in', async (tx) => {
    const current = unchanged(await findUser(tx, { id: user.id }, { lock: true }), user)
    await audit(tx, { action: 'login', actor: user, client, traits: { provider: email ? 'email' : 'phone' } })
    return startSession(tx, services, { user: current, method: 'password', client })
  })
  await services.limits.forgetGuess(account, networkOf(client.address))
  const weakness = await weaknessOf(password, services.settings.password)
  return c.json({ ...(await tokenResponse(services, issued)), ...(weakness && { weak_password: weakness }) })
}

/** Only whoever knows the password learns of these. Errors: user_banned, email_not_confirmed, phone_not_confirmed. */
function mayEnter(user: UserRow, by: { email: string } | { phone: string }, now: number): void {
  if (isBanned(user, now)) throw authErrors.banned(400)
  if ('email' in by && !user.email_confirmed_at) throw authErrors.emailNotConfirmed()
  if ('phone' in by && !user.phone_confirmed_at) throw authErrors.phoneNotConfirmed()
}

/** While the password was checked, outside any transaction, the account may have been given another one. */
function unchanged(current: UserRow | undefined, checked: UserRow): UserRow {
  if (!current || current.encrypted_password !== checked.encrypted_password)
    throw authErrors.invalidCredentials()
  return current
}

/** Who guesses at addresses leaves the same trace, after the same time, as who guesses at passwords. */
const noteFailure = (
  { db }: Services,
  user: Pick<UserRow, 'id' | 'email' | 'phone'>,
  client: Client,
): Promise<void> =>
  db.asOwner('failed sign-in', (tx) => audit(tx, { action: 'login_failed', actor: user, client }))

const RecoverBody = z.object({ email, ...challengeFields })

/** POST /recover: a mail that leads to a new password. The same answer, after the same work, for unknown addresses. */
export const recover: Endpoint = async (c) => {
  const { services } = c.var
  const body = await readBody(c, RecoverBody)
  const { email } = body
  const challenge = readChallenge(body)
  const redirectTo = redirectTarget(c)
  await withSendCooldown(services, { kind: 'recovery', email }, () =>
    services.db.asOwner('recover', async (tx) => {
      const user = await findUser(tx, { email }, { lock: true })
      const actor = user ?? unknownActor
      await audit(tx, { action: 'user_recovery_requested', actor, client: clientOf(c) })
      await forUserOrObfuscated(tx, services, { user, address: { email } }, (account, to) =>
        enqueueLinkEmail(tx, services, { user: account, email: to, type: 'recovery', redirectTo, challenge }),
      )
    }),
  )
  return c.json({})
}
