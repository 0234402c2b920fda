import { isUuid } from '#domain/uuid.ts'
import type { Transaction } from '#server/database/port.ts'
import { audit } from '../audit.ts'
import { type Client, clientOf, type Endpoint, type Member, nowIso, type Services } from '../context.ts'
import { notifyAccountChange, providerLabel } from '../emails.ts'
import { authErrors, providerErrors, retryOnConflict } from '../errors.ts'
import { lockMember, mustBeAal2IfEnrolled } from '../mfa/assurance.ts'
import { findPasskeysOf } from '../passkeys/passkeys.ts'
import { findSession } from '../sessions/queries.ts'
import { evictUnconfirmedHolder, renewProviders, revokeAccess } from '../users/accounts.ts'
import { findUser, updateUser } from '../users/queries.ts'
import { type IdentityRow, isBanned, type UserChanges, type UserRow } from '../users/user.ts'
import { addIdentity, deleteIdentity, type ExternalSignIn, ownerOf } from './sign-in.ts'

/** The account that gets the identity, and the session in which its owner asked for that. */
export interface LinkTarget {
  userId: string
  sessionId: string
}

/**
 * Adds a way in to somebody's own account, at the assurance that the account has by now: between the way to the provider
 * and back its owner may have added a second factor, or ended the session. `open` begins the session in the same
 * transaction.
 * Errors: user_not_found, user_banned, session_not_found, insufficient_aal, user_sso_managed, identity_already_exists,
 * email_exists.
 */
export const linkIdentity = <T>(
  services: Services,
  signIn: ExternalSignIn,
  target: LinkTarget,
  open: (tx: Transaction, user: UserRow) => Promise<T>,
): Promise<T> =>
  retryOnConflict(() =>
    services.db.asOwner('link identity', async (tx) => open(tx, await addTo(tx, services, target, signIn))),
  )

async function addTo(
  tx: Transaction,
  services: Services,
  { userId, sessionId }: LinkTarget,
  signIn: ExternalSignIn,
): Promise<UserRow> {
  const { provider, person, client, at } = signIn
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
  await addIdentity(tx, user.id, signIn)
  await updateUser(tx, user.id, { ...(await firstAddress(tx, user, signIn)), updated_at: at })
  await audit(tx, { action: 'identity_linked', actor: user, client, traits: { provider } })
  await notifyAccountChange(tx, services, user, 'identityLinked', providerLabel(provider))
  return renewProviders(tx, user.id, at)
}

/** An account without an address (anonymous, or by phone) takes the identity's, once the provider has verified it. */
async function firstAddress(tx: Transaction, user: UserRow, { person, at }: ExternalSignIn) {
  const email = user.email || !person.emailVerified ? undefined : person.email
  if (email && (await evictUnconfirmedHolder(tx, { email }))) throw authErrors.emailExists()
  return { ...(email && { email, email_confirmed_at: at }), is_anonymous: false }
}

/** DELETE /user/identities/{id}: takes one way in away; the last one stays. */
export const removeIdentity: Endpoint = async (c) => {
  const { services, member } = c.var
  const identityId = (c.req.param('id') ?? '').toLowerCase()
  if (!services.settings.manualLinking) throw providerErrors.linkingDisabled()
  if (!isUuid(identityId)) throw authErrors.notFoundId('identity_id must be an UUID')
  const at = nowIso(services)
  const unlinking = { member, identityId, client: clientOf(c), at }
  await services.db.asOwner('unlink identity', (tx) => unlinkIdentity(tx, services, unlinking))
  return c.json({})
}

interface Unlinking {
  member: Member
  identityId: string
  client: Client
  at: string
}

/**
 * Takes one way in away; never the last one, and never a password that works.
 * Errors: those of `lockMember`; single_identity_not_deletable, identity_not_found,
 * email_conflict_identity_not_deletable, in that order.
 */
async function unlinkIdentity(
  tx: Transaction,
  services: Pick<Services, 'now' | 'providers' | 'jobs'>,
  { member, identityId, client, at }: Unlinking,
): Promise<void> {
  const { user, session } = await lockMember(tx, member, { now: services.now() })
  if (user.identities.length <= 1) throw providerErrors.lastIdentity()
  const gone = user.identities.find((identity) => identity.id === identityId)
  if (!gone) throw providerErrors.identityNotFound()
  const left = user.identities.filter((identity) => identity !== gone)
  const changes = changesAfter(user, gone, left)
  await mustLeaveWayIn(tx, services, { user: { ...user, ...changes }, left })
  await deleteIdentity(tx, gone.id)
  await mustBeFree(tx, user, changes.email)
  // What goes with the identity is an address: what was open at it ends.
  if (changes.email || gone.provider === 'phone') await revokeAccess(tx, user.id, { sessionId: session.id })
  await updateUser(tx, user.id, { ...changes, updated_at: at })
  await renewProviders(tx, user.id, at)
  const traits = { provider: gone.provider, identity_id: gone.id, provider_id: gone.provider_id }
  await audit(tx, { action: 'identity_unlinked', actor: user, client, traits })
  await notifyAccountChange(tx, services, user, 'identityUnlinked', providerLabel(gone.provider))
}

/** What goes with a way in: the number of a phone, and an address that nothing else vouches for. */
const changesAfter = (user: UserRow, gone: IdentityRow, left: readonly IdentityRow[]): UserChanges => ({
  ...(gone.provider === 'phone' && { phone: null, phone_confirmed_at: null }),
  ...addressAfter(user, gone, left),
})

/** An address that only the identity vouched for gives way to one that another vouches for. */
function addressAfter(user: UserRow, gone: IdentityRow, left: readonly IdentityRow[]): UserChanges {
  const isStillVouchedFor = left.some(({ email }) => email === user.email?.toLowerCase())
  if (gone.email !== user.email?.toLowerCase() || isStillVouchedFor) return {}
  const next = left.find(({ email, identity_data: data }) => email && data.email_verified === true)
  return next ? { email: next.email } : {}
}

interface After {
  user: UserRow
  left: readonly IdentityRow[]
}

/**
 * An identity at a provider that the owner of the site has switched off opens nothing. A confirmed address does, by a
 * mailed link or a texted code at least. Errors: single_identity_not_deletable.
 */
async function mustLeaveWayIn(
  tx: Transaction,
  { providers }: Pick<Services, 'providers'>,
  { user, left }: After,
): Promise<void> {
  const hasAddress = (user.email && user.email_confirmed_at) || (user.phone && user.phone_confirmed_at)
  const hasProvider = left.some(({ provider }) => providers.has(provider))
  if (hasAddress || hasProvider || (await findPasskeysOf(tx, user.id)).length > 0) return
  throw providerErrors.lastIdentity()
}

async function mustBeFree(tx: Transaction, user: UserRow, email: string | null | undefined): Promise<void> {
  const holder = email ? await evictUnconfirmedHolder(tx, { email }) : undefined
  if (holder && holder.id !== user.id) throw providerErrors.emailConflict()
}
