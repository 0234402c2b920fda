import type { Transaction } from '#server/database/port.ts'
import { audit } from '../audit.ts'
import type { Services } from '../context.ts'
import { notifyAccountChange, providerLabel } from '../emails.ts'
import { authErrors, providerErrors } from '../errors.ts'
import { mustBeAal2IfEnrolled } from '../mfa/assurance.ts'
import { findSession } from '../sessions/queries.ts'
import { evictUnconfirmedHolder, renewProviders } from '../users/accounts.ts'
import { findUser, updateUser } from '../users/queries.ts'
import { isBanned, type UserRow } from '../users/user.ts'
import type { Arrival } from './arrival.ts'
import { addIdentity, ownerOf } from './repository.ts'

/** The account that gets the identity, and the session in which its owner asked for that. */
export interface LinkTarget {
  userId: string
  sessionId: string
}

/**
 * Adds a way in to somebody's own account, at the assurance that the account has by now: between the way to the provider
 * and back its owner may have added a second factor, or ended the session.
 * Errors: user_not_found, user_banned, session_not_found, insufficient_aal, user_sso_managed, identity_already_exists,
 * email_exists.
 */
export async function linkIdentity(
  tx: Transaction,
  services: Services,
  { userId, sessionId }: LinkTarget,
  arrival: Arrival,
): Promise<UserRow> {
  const { provider, person, client, at } = arrival
  const user = await findUser(tx, { id: userId }, { lock: true })
  if (!user) throw authErrors.userNotFound()
  if (isBanned(user, services.now())) throw authErrors.banned(403)
  const session = await findSession(tx, sessionId)
  if (session?.user_id !== user.id) throw authErrors.sessionNotFound()
  mustBeAal2IfEnrolled({ user, session })
  if (user.is_sso_user) throw providerErrors.managedElsewhere()
  const owner = await ownerOf(tx, provider, person.subject)
  if (owner !== undefined)
    throw owner === user.id ? providerErrors.alreadyLinked() : providerErrors.accountOfAnother()
  await addIdentity(tx, user.id, arrival)
  await updateUser(tx, user.id, { ...(await firstAddress(tx, user, arrival)), updated_at: at })
  await audit(tx, { action: 'identity_linked', actor: user, client, traits: { provider } })
  await notifyAccountChange(tx, services, user, 'identityLinked', providerLabel(provider))
  return renewProviders(tx, user.id, at)
}

/** An account without an address (anonymous, or by phone) takes the identity's, once the provider has verified it. */
async function firstAddress(tx: Transaction, user: UserRow, { person, at }: Arrival) {
  const email = user.email || !person.emailVerified ? undefined : person.email
  if (email && (await evictUnconfirmedHolder(tx, { email }))) throw authErrors.emailExists()
  return { ...(email && { email, email_confirmed_at: at }), is_anonymous: false }
}
