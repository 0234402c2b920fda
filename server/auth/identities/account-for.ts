import { randomUUID } from 'node:crypto'
import type { Transaction } from '#server/database/port.ts'
import { audit } from '../audit.ts'
import type { Services } from '../context.ts'
import { notifyAccountChange, providerLabel } from '../emails.ts'
import { authErrors, providerErrors } from '../errors.ts'
import { hasSecondFactor } from '../mfa/assurance.ts'
import { claimUnconfirmedAccount, reload, renewProviders } from '../users/accounts.ts'
import { findUser, insertUser, updateUser } from '../users/queries.ts'
import { isBanned, type UserRow } from '../users/user.ts'
import { type Arrival, isOrganisation } from './arrival.ts'
import { addIdentity, ownerOf, refreshIdentity } from './repository.ts'

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
  if (sameAddress) return { user: await linkByAddress(tx, services, sameAddress, arrival), isNew: false }
  if (services.settings.disableSignup) throw authErrors.signupDisabled()
  return { user: await newAccount(tx, services, arrival), isNew: true }
}

async function knownAccount(tx: Transaction, { provider, person }: Arrival): Promise<UserRow | undefined> {
  const id = await ownerOf(tx, provider, person.subject)
  return id === undefined ? undefined : findUser(tx, { id }, { lock: true })
}

async function welcomeBack(tx: Transaction, known: UserRow, arrival: Arrival): Promise<UserRow> {
  const { person, at } = arrival
  const isProved = person.emailVerified && person.email === known.email?.toLowerCase()
  const user = isProved ? await claimUnconfirmedAccount(tx, known, claimBy(arrival)) : known
  await refreshIdentity(tx, arrival)
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

const claimBy = ({ provider, person, at }: Arrival) => ({
  at,
  identity: { provider, provider_id: person.subject },
})

/**
 * Adds the identity. Whoever has a second factor is let in by the address without that: a new way in is added only by
 * somebody who has given it.
 */
async function linkByAddress(
  tx: Transaction,
  services: Services,
  known: UserRow,
  arrival: Arrival,
): Promise<UserRow> {
  const { person, provider, client, at } = arrival
  if (known.confirmed_at && hasSecondFactor(known)) return known
  await addIdentity(tx, known.id, arrival)
  const user = await claimUnconfirmedAccount(tx, known, claimBy(arrival))
  await updateUser(tx, user.id, {
    email_confirmed_at: user.email_confirmed_at ?? at,
    raw_user_meta_data: { ...user.raw_user_meta_data, ...person.facts },
    is_anonymous: false,
    updated_at: at,
  })
  await audit(tx, { action: 'identity_linked', actor: user, client, traits: { provider } })
  await notifyAccountChange(tx, services, known, 'identityLinked', providerLabel(provider))
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
