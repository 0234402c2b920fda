import type { Transaction } from '#server/database/port.ts'
import { audit } from '../audit.ts'
import type { Client, Services } from '../context.ts'
import { notifyAccountChange } from '../emails.ts'
import { authErrors, refuseTaken } from '../errors.ts'
import {
  changeAddress,
  claimUnconfirmedAccount,
  confirmAddress,
  evictUnconfirmedHolder,
  reload,
  revokeAccess,
} from '../users/accounts.ts'
import { findUser, updateUser } from '../users/queries.ts'
import { isBanned, type UserRow } from '../users/user.ts'
import { type OneTimeTokenRow, takeToken } from './one-time-tokens.ts'

export interface Redeemed {
  user: UserRow
  /** The first of two mailboxes has confirmed a change of address; nobody is signed in by that. */
  awaitsOtherMailbox: boolean
}

interface Redemption {
  token: OneTimeTokenRow
  services: Pick<Services, 'now' | 'jobs'>
  at: string
  client: Client
}

/**
 * Uses a token up and does what it stands for: the person has proved that the address is theirs.
 * Errors: otp_expired when somebody else was faster, user_banned, email_exists.
 */
export async function redeem(
  tx: Transaction,
  services: Pick<Services, 'now' | 'jobs'>,
  token: OneTimeTokenRow,
  client: Client,
): Promise<Redeemed> {
  const user = await findUser(tx, { id: token.user_id }, { lock: true })
  if (!user || !isStillTheirs(user, token) || !(await takeToken(tx, token.id))) throw authErrors.otpExpired()
  if (isBanned(user, services.now())) throw authErrors.banned(403)
  const redemption = { token, at: new Date(services.now()).toISOString(), client, services }
  const flowId = token.flow_state_id ?? undefined
  const done = (changed: UserRow): Redeemed => ({ user: changed, awaitsOtherMailbox: false })
  switch (token.token_type) {
    case 'confirmation_token':
      return done(await confirm(tx, user, redemption))
    case 'recovery_token':
      // Whoever opens the mailbox without having signed up need not have chosen what is in an unconfirmed account.
      return done(
        await confirm(tx, await claimUnconfirmedAccount(tx, user, { ...redemption, flowId }), redemption),
      )
    case 'email_change_token_current':
    case 'email_change_token_new':
      return confirmEmailChange(tx, user, redemption)
    case 'phone_change_token':
      return done(await changePhone(tx, user, redemption))
    case 'reauthentication_token':
      throw authErrors.otpExpired()
  }
}

/** A message proves that an address is somebody's, and only as long as it is the account's (or is to become it). */
function isStillTheirs(user: UserRow, { token_type: type, relates_to: address }: OneTimeTokenRow): boolean {
  if (type === 'email_change_token_new') return address === user.email_change
  if (type === 'phone_change_token') return address === user.phone_change
  return address === user.email?.toLowerCase() || address === user.phone
}

/** Nothing happens to an address that was confirmed before. */
async function confirm(tx: Transaction, user: UserRow, { token, at, client }: Redemption) {
  const isEmail = token.relates_to.includes('@')
  const was = isEmail ? user.email_confirmed_at : user.phone_confirmed_at
  if (was) return user
  const confirmed = await confirmAddress(tx, user, isEmail ? 'email' : 'phone', at)
  const action = user.invited_at ? 'invite_accepted' : 'user_signedup'
  await audit(tx, { action, actor: user, client, traits: { provider: isEmail ? 'email' : 'phone' } })
  return confirmed
}

/** Both mailboxes have to agree; an account without an address needs only the new one. */
async function confirmEmailChange(tx: Transaction, user: UserRow, redemption: Redemption): Promise<Redeemed> {
  const { services, at, client } = redemption
  if (!user.email_change) throw authErrors.otpExpired()
  if (user.email && user.email_change_confirm_status !== 1) {
    await updateUser(tx, user.id, { email_change_confirm_status: 1, updated_at: at })
    return { user: await reload(tx, user.id), awaitsOtherMailbox: true }
  }
  const changed = await moveTo(tx, user, { email: user.email_change }, redemption)
  await audit(tx, { action: 'user_modified', actor: changed, client, traits: { changed: 'email' } })
  await notifyAccountChange(tx, services, user, 'emailChanged', user.email_change)
  return { user: changed, awaitsOtherMailbox: false }
}

async function changePhone(tx: Transaction, user: UserRow, redemption: Redemption): Promise<UserRow> {
  const { services, client } = redemption
  if (!user.phone_change) throw authErrors.otpExpired()
  const changed = await moveTo(tx, user, { phone: user.phone_change }, redemption)
  await audit(tx, { action: 'user_modified', actor: changed, client, traits: { changed: 'phone' } })
  await notifyAccountChange(tx, services, user, 'phoneChanged', user.phone_change.slice(-3))
  return changed
}

/** What was open at the old address ends; whoever asked for the change stays signed in. Errors: email_exists, phone_exists. */
async function moveTo(
  tx: Transaction,
  user: UserRow,
  address: { email: string } | { phone: string },
  { token, at }: Redemption,
): Promise<UserRow> {
  await revokeAccess(tx, user.id, {
    sessionId: token.session_id ?? undefined,
    flowId: token.flow_state_id ?? undefined,
  })
  await evictUnconfirmedHolder(tx, address)
  return changeAddress(tx, user, address, at).catch(refuseTaken)
}
