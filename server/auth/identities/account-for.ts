import { randomUUID } from 'node:crypto'
import type { Transaction } from '#server/database/port.ts'
import { audit } from '../audit.ts'
import { authErrors } from '../errors.ts'
import { deleteTokensOf } from '../one-time-tokens/repository.ts'
import { providerErrors } from '../providers/errors.ts'
import type { Services } from '../services.ts'
import { deleteSessions } from '../sessions/repository.ts'
import { reload } from '../users/accounts.ts'
import { findUser, insertUser, updateUser } from '../users/repository.ts'
import { isBanned, type UserRow } from '../users/rows.ts'
import { type Arrival, isOrganisation } from './arrival.ts'
import { renewProviders } from './providers-of.ts'
import { addIdentity, deleteOtherIdentities, ownerOf, refreshIdentity } from './repository.ts'

/**
 * The account of somebody whom a provider vouches for, by GoTrue's rules: the one that the identity belongs to; else
 * the one with the same address, if the provider has verified it; else a new one. An address that nobody has verified
 * leads nowhere, and an organisation's people are never mixed with others.
 * Errors: signup_disabled, user_banned, email_exists, provider_email_needs_verification.
 */
export async function accountFor(
  tx: Transaction,
  services: Services,
  arrival: Arrival,
): Promise<{ user: UserRow; isNew: boolean }> {
  const known = await knownAccount(tx, arrival)
  if (known && isBanned(known, services.now())) throw authErrors.banned(403)
  if (known) return { user: await welcomeBack(tx, known, arrival), isNew: false }
  const sameAddress = await accountOfAddress(tx, arrival)
  if (sameAddress && isBanned(sameAddress, services.now())) throw authErrors.banned(403)
  if (sameAddress) return { user: await linkByAddress(tx, sameAddress, arrival), isNew: false }
  if (services.settings.disableSignup) throw authErrors.signupDisabled()
  return { user: await newAccount(tx, services, arrival), isNew: true }
}

async function knownAccount(tx: Transaction, { provider, person }: Arrival): Promise<UserRow | undefined> {
  const id = await ownerOf(tx, provider, person.subject)
  return id === undefined ? undefined : findUser(tx, { id }, { lock: true })
}

async function welcomeBack(tx: Transaction, user: UserRow, arrival: Arrival): Promise<UserRow> {
  const { person, at } = arrival
  await refreshIdentity(tx, arrival)
  const isProved = person.emailVerified && person.email === user.email?.toLowerCase()
  await updateUser(tx, user.id, {
    raw_user_meta_data: { ...user.raw_user_meta_data, ...person.facts },
    ...(isProved && !user.email_confirmed_at && { email_confirmed_at: at }),
    // Somebody may have a new address at their organisation; nobody else may have it.
    ...(isOrganisation(arrival.provider) && person.email && { email: person.email }),
    updated_at: at,
  })
  return renewProviders(tx, user.id, at)
}

/** The account that may be linked by its address. Errors: provider_email_needs_verification, email_exists. */
async function accountOfAddress(tx: Transaction, { provider, person }: Arrival) {
  if (isOrganisation(provider)) return undefined
  if (!person.email) throw providerErrors.noEmail(provider)
  const user = await findUser(tx, { email: person.email }, { lock: true })
  if (user && !person.emailVerified) throw providerErrors.unverifiedEmail(provider)
  // The phone's owner has claimed an address that is not theirs: these are two people.
  if (user && !user.email_confirmed_at && user.phone_confirmed_at) throw authErrors.emailExists()
  return user
}

/**
 * Adds the identity. An account that nobody has confirmed may have been made in advance by somebody else, who then
 * waits for its owner with a password: nothing of it is kept.
 */
async function linkByAddress(tx: Transaction, user: UserRow, arrival: Arrival): Promise<UserRow> {
  const { person, provider, client, at } = arrival
  const wasConfirmed = user.email_confirmed_at !== null
  await addIdentity(tx, user.id, arrival)
  if (!wasConfirmed) {
    await deleteOtherIdentities(tx, user.id, arrival)
    await deleteSessions(tx, { userId: user.id })
    await deleteTokensOf(tx, user.id)
  }
  await updateUser(tx, user.id, {
    ...(!wasConfirmed && { encrypted_password: null, email_confirmed_at: at }),
    raw_user_meta_data: { ...(wasConfirmed && user.raw_user_meta_data), ...person.facts },
    is_anonymous: false,
    updated_at: at,
  })
  await audit(tx, { action: 'identity_linked', actor: user, client, traits: { provider } })
  return renewProviders(tx, user.id, at)
}

async function newAccount(tx: Transaction, { settings }: Services, arrival: Arrival): Promise<UserRow> {
  const { provider, person, client, at } = arrival
  const id = randomUUID()
  await insertUser(tx, {
    id,
    email: person.email ?? null,
    email_confirmed_at: person.emailVerified || settings.autoconfirm ? at : null,
    is_sso_user: isOrganisation(provider),
    raw_app_meta_data: { provider, providers: [provider] },
    raw_user_meta_data: person.facts,
    created_at: at,
    updated_at: at,
  })
  await addIdentity(tx, id, arrival)
  const user = await reload(tx, id)
  await audit(tx, { action: 'user_signedup', actor: user, client, traits: { provider } })
  return user
}
