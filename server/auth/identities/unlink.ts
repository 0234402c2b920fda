import type { Transaction } from '#server/database/port.ts'
import { audit } from '../audit.ts'
import type { Client } from '../client.ts'
import { providerErrors } from '../providers/errors.ts'
import { findUser, updateUser } from '../users/repository.ts'
import type { IdentityRow, UserChanges, UserRow } from '../users/rows.ts'
import { renewProviders } from './providers-of.ts'
import { deleteIdentity } from './repository.ts'

interface Unlinking {
  userId: string
  identityId: string
  client: Client
  at: string
}

/**
 * Takes one way in away.
 * Errors: single_identity_not_deletable, identity_not_found, email_conflict_identity_not_deletable, in that order.
 */
export async function unlinkIdentity(
  tx: Transaction,
  { userId, identityId, client, at }: Unlinking,
): Promise<void> {
  const user = await findUser(tx, { id: userId }, { lock: true })
  if (!user || user.identities.length <= 1) throw providerErrors.lastIdentity()
  const gone = user.identities.find((identity) => identity.id === identityId)
  if (!gone) throw providerErrors.identityNotFound()
  const left = user.identities.filter((identity) => identity !== gone)
  const changes = changesAfter(user, gone, left)
  await deleteIdentity(tx, gone.id)
  await mustBeFree(tx, user, changes.email)
  await updateUser(tx, user.id, { ...changes, updated_at: at })
  await renewProviders(tx, user.id, at)
  const traits = { provider: gone.provider, identity_id: gone.id, provider_id: gone.provider_id }
  await audit(tx, { action: 'identity_unlinked', actor: user, client, traits })
}

/** What goes with a way in: the number of a phone, the password of the last address, the address itself. */
function changesAfter(user: UserRow, gone: IdentityRow, left: readonly IdentityRow[]): UserChanges {
  const hasPasswordWay = left.some(({ provider }) => provider === 'email' || provider === 'phone')
  return {
    ...(!hasPasswordWay && { encrypted_password: null }),
    ...(gone.provider === 'phone' && { phone: null, phone_confirmed_at: null }),
    ...addressAfter(user, gone, left),
  }
}

/** An address that only the identity vouched for gives way to one that another vouches for. */
function addressAfter(user: UserRow, gone: IdentityRow, left: readonly IdentityRow[]): UserChanges {
  const isStillVouchedFor = left.some(({ email }) => email === user.email?.toLowerCase())
  if (gone.email !== user.email?.toLowerCase() || isStillVouchedFor) return {}
  const next = left.find(({ email, identity_data: data }) => email && data.email_verified === true)
  return next ? { email: next.email } : {}
}

async function mustBeFree(tx: Transaction, user: UserRow, email: string | null | undefined): Promise<void> {
  const holder = email ? await findUser(tx, { email }) : undefined
  if (holder && holder.id !== user.id) throw providerErrors.emailConflict()
}
