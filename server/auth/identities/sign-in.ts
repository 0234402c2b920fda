import { randomUUID } from 'node:crypto'
import type { Transaction } from '#server/database/port.ts'
import { audit } from '../audit.ts'
import type { Client, Services } from '../context.ts'
import { enqueueLinkEmail, notifyAccountChange, providerLabel } from '../emails.ts'
import { authErrors, providerErrors, retryOnConflict } from '../errors.ts'
import { hasSecondFactor } from '../mfa/assurance.ts'
import type { Person } from '../oauth/provider.ts'
import { withSendCooldown } from '../rate-limits.ts'
import type { Challenge } from '../secrets.ts'
import { claimUnconfirmedAccount, reload, renewProviders } from '../users/accounts.ts'
import { findUser, insertIdentity, insertUser, updateUser } from '../users/queries.ts'
import { isBanned, type UserRow } from '../users/user.ts'

type Outcome<T> = { opened: T } | { unconfirmed: UserRow; email: string }

/**
 * Lets in whom a provider vouches for; `open` begins the session in the same transaction. Somebody whose address
 * nobody has verified is sent a mail instead.
 * Errors: those of `resolveAccount`, provider_email_needs_verification, over_email_send_rate_limit.
 */
export async function signInWithIdentity<T>(
  services: Services,
  signIn: ExternalSignIn,
  open: (tx: Transaction, user: UserRow) => Promise<T>,
): Promise<T> {
  const outcome = await retryOnConflict(() =>
    services.db.asOwner('sign-in by provider', (tx) => openIfConfirmed(tx, services, signIn, open)),
  )
  if ('opened' in outcome) return outcome.opened
  const { unconfirmed: user, email } = outcome
  await withSendCooldown(services, { kind: 'signup', email }, () =>
    askForConfirmation(services, signIn, user, email),
  )
  throw providerErrors.unverifiedEmail(signIn.provider)
}

async function openIfConfirmed<T>(
  tx: Transaction,
  services: Services,
  signIn: ExternalSignIn,
  open: (tx: Transaction, user: UserRow) => Promise<T>,
): Promise<Outcome<T>> {
  const user = await resolveAccount(tx, services, signIn)
  if (user.email && !user.confirmed_at) return { unconfirmed: user, email: user.email }
  const { provider, client } = signIn
  await audit(tx, { action: 'login', actor: user, client, traits: { provider } })
  return { opened: await open(tx, user) }
}

const askForConfirmation = (services: Services, signIn: ExternalSignIn, user: UserRow, email: string) =>
  services.db.asOwner('confirm an address', async (tx) => {
    const { provider, client, redirectTo, challenge } = signIn
    await enqueueLinkEmail(tx, services, { user, email, type: 'signup', redirectTo, challenge })
    await audit(tx, { action: 'user_confirmation_requested', actor: user, client, traits: { provider } })
  })

/**
 * The account of somebody whom a provider vouches for, by GoTrue's rules: the one that the identity belongs to; else
 * the one with the same address, if the provider has verified it; else a new one. An address that nobody has verified
 * leads nowhere, and an organisation's people are never mixed with others.
 * Errors: signup_disabled, user_banned, email_exists, provider_email_needs_verification.
 */
async function resolveAccount(tx: Transaction, services: Services, signIn: ExternalSignIn): Promise<UserRow> {
  const known = await knownAccount(tx, signIn)
  if (known && isBanned(known, services.now())) throw authErrors.banned(403)
  if (known) return refreshAccount(tx, known, signIn)
  const sameAddress = await accountOfAddress(tx, signIn)
  if (sameAddress && isBanned(sameAddress, services.now())) throw authErrors.banned(403)
  if (sameAddress) return linkByAddress(tx, services, sameAddress, signIn)
  if (services.settings.disableSignup) throw authErrors.signupDisabled()
  return newAccount(tx, services, signIn)
}

async function knownAccount(
  tx: Transaction,
  { provider, person }: ExternalSignIn,
): Promise<UserRow | undefined> {
  const id = await ownerOf(tx, provider, person.subject)
  return id === undefined ? undefined : findUser(tx, { id }, { lock: true })
}

async function refreshAccount(tx: Transaction, known: UserRow, signIn: ExternalSignIn): Promise<UserRow> {
  const { person, at } = signIn
  const isProved = person.emailVerified && person.email === known.email?.toLowerCase()
  const user = isProved ? await claimUnconfirmedAccount(tx, known, claimBy(signIn)) : known
  await refreshIdentity(tx, signIn)
  await updateUser(tx, user.id, {
    raw_user_meta_data: { ...user.raw_user_meta_data, ...person.facts },
    ...(isProved && !user.email_confirmed_at && { email_confirmed_at: at }),
    // Somebody may have a new address at their organisation; nobody else may have it.
    ...(isOrganisation(signIn.provider) && person.email && { email: person.email }),
    updated_at: at,
  })
  return renewProviders(tx, user.id, at)
}

/** The account that may be linked by its address. Errors: provider_email_needs_verification, email_exists. */
async function accountOfAddress(tx: Transaction, { provider, person }: ExternalSignIn) {
  if (isOrganisation(provider)) return undefined
  if (!person.email) throw providerErrors.noEmail(provider)
  const user = await findUser(tx, { email: person.email }, { lock: true })
  if (user && !person.emailVerified) throw providerErrors.unverifiedEmail(provider)
  // The phone's owner has claimed an address that is not theirs: these are two people.
  if (user && !user.email_confirmed_at && user.phone_confirmed_at) throw authErrors.emailExists()
  return user
}

const claimBy = ({ provider, person, at }: ExternalSignIn) => ({
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
  signIn: ExternalSignIn,
): Promise<UserRow> {
  const { person, provider, client, at } = signIn
  if (known.confirmed_at && hasSecondFactor(known)) return known
  await addIdentity(tx, known.id, signIn)
  const user = await claimUnconfirmedAccount(tx, known, claimBy(signIn))
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

async function newAccount(tx: Transaction, { settings }: Services, signIn: ExternalSignIn): Promise<UserRow> {
  const { provider, person, client, at } = signIn
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
  await addIdentity(tx, id, signIn)
  const user = await reload(tx, id)
  await audit(tx, { action: 'user_signedup', actor: user, client, traits: { provider } })
  return user
}

/** Somebody whom a provider has just vouched for. */
export interface ExternalSignIn {
  /** `google`, …, or `sso:<id>` for an organisation's own. */
  provider: string
  person: Person
  client: Client
  at: string
  /** For the mail that confirms an address which the provider has not. */
  redirectTo: string
  challenge: Challenge | undefined
}

/** Organisations vouch for their own people only: their accounts stand apart from all others. */
const isOrganisation = (provider: string): boolean => provider.startsWith('sso:')

/** The account that an identity belongs to. */
export async function ownerOf(
  tx: Transaction,
  provider: string,
  subject: string,
): Promise<string | undefined> {
  const { rows } = await tx.query<{ user_id: string }>(
    'select user_id from auth.identities where provider = $1 and provider_id = $2',
    [provider, subject],
  )
  return rows[0]?.user_id
}

/** What the provider says now takes the place of what it said before. */
async function refreshIdentity(tx: Transaction, { provider, person, at }: ExternalSignIn): Promise<void> {
  await tx.query(
    `update auth.identities set identity_data = $3, last_sign_in_at = $4, updated_at = $4
     where provider = $1 and provider_id = $2`,
    [provider, person.subject, JSON.stringify(person.facts), at],
  )
}

export const addIdentity = (tx: Transaction, userId: string, { provider, person, at }: ExternalSignIn) =>
  insertIdentity(tx, { userId, provider, providerId: person.subject, data: person.facts, at })

export async function deleteIdentity(tx: Transaction, id: string): Promise<void> {
  await tx.query('delete from auth.identities where id = $1', [id])
}
