import type { Transaction } from '#server/database/port.ts'
import { audit } from '../audit.ts'
import { authErrors } from '../errors.ts'
import { providerErrors } from '../providers/errors.ts'
import type { Services } from '../services.ts'
import { findUser, updateUser } from '../users/repository.ts'
import { isBanned, type UserRow } from '../users/rows.ts'
import type { Arrival } from './arrival.ts'
import { renewProviders } from './providers-of.ts'
import { addIdentity, ownerOf } from './repository.ts'

/**
 * Adds a way in to somebody's own account.
 * Errors: user_not_found, user_banned, user_sso_managed, identity_already_exists, email_exists.
 */
export async function linkIdentity(
  tx: Transaction,
  services: Services,
  userId: string,
  arrival: Arrival,
): Promise<UserRow> {
  const { provider, person, client, at } = arrival
  const user = await findUser(tx, { id: userId }, { lock: true })
  if (!user) throw authErrors.userNotFound()
  if (isBanned(user, services.now())) throw authErrors.banned(403)
  if (user.is_sso_user) throw providerErrors.managedElsewhere()
  const owner = await ownerOf(tx, provider, person.subject)
  if (owner !== undefined)
    throw owner === user.id ? providerErrors.alreadyLinked() : providerErrors.accountOfAnother()
  await addIdentity(tx, user.id, arrival)
  await updateUser(tx, user.id, { ...(await firstAddress(tx, user, arrival)), updated_at: at })
  await audit(tx, { action: 'identity_linked', actor: user, client, traits: { provider } })
  return renewProviders(tx, user.id, at)
}

/** An account without an address (anonymous, or by phone) takes the identity's, once the provider has verified it. */
async function firstAddress(tx: Transaction, user: UserRow, { person, at }: Arrival) {
  const email = user.email || !person.emailVerified ? undefined : person.email
  if (email && (await findUser(tx, { email }))) throw authErrors.emailExists()
  return { ...(email && { email, email_confirmed_at: at }), is_anonymous: false }
}
