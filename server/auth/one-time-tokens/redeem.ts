import type { Transaction } from '#server/database/port.ts'
import { audit } from '../audit.ts'
import type { Client } from '../client.ts'
import { refuseTaken } from '../conflicts.ts'
import { authErrors } from '../errors.ts'
import { dropUnprovedIdentities } from '../identities/drop-unproved.ts'
import type { Services } from '../services.ts'
import { changeAddress, confirmEmail, confirmPhone, reload } from '../users/accounts.ts'
import { findUser, updateUser } from '../users/repository.ts'
import { isBanned, type UserRow } from '../users/rows.ts'
import { type OneTimeTokenRow, takeToken } from './repository.ts'

export interface Redeemed {
  user: UserRow
  /** The first of two mailboxes has confirmed a change of address; nobody is signed in by that. */
  awaitsOtherMailbox: boolean
}

interface Redemption {
  at: string
  client: Client
}

/**
 * Uses a token up and does what it stands for: the person has proved that the address is theirs.
 * Errors: otp_expired when somebody else was faster, user_banned, email_exists.
 */
export async function redeem(
  tx: Transaction,
  { now }: Pick<Services, 'now'>,
  token: OneTimeTokenRow,
  client: Client,
): Promise<Redeemed> {
  const user = await findUser(tx, { id: token.user_id }, { lock: true })
  if (!user || !(await takeToken(tx, token.id))) throw authErrors.otpExpired()
  if (isBanned(user, now())) throw authErrors.banned(403)
  const redemption = { at: new Date(now()).toISOString(), client }
  const done = (changed: UserRow): Redeemed => ({ user: changed, awaitsOtherMailbox: false })
  switch (token.token_type) {
    case 'confirmation_token':
      return done(await confirm(tx, user, token, redemption))
    case 'recovery_token':
      return done(await confirm(tx, await dropUnproved(tx, user, redemption.at), token, redemption))
    case 'email_change_token_current':
    case 'email_change_token_new':
      return confirmEmailChange(tx, user, redemption)
    case 'phone_change_token':
      return done(await changePhone(tx, user, redemption))
    case 'reauthentication_token':
      throw authErrors.otpExpired()
  }
}

/** Nothing happens to an address that was confirmed before. */
async function confirm(
  tx: Transaction,
  user: UserRow,
  { relates_to }: OneTimeTokenRow,
  { at, client }: Redemption,
) {
  const isEmail = relates_to.includes('@')
  const was = isEmail ? user.email_confirmed_at : user.phone_confirmed_at
  if (was) return user
  const confirmed = await (isEmail ? confirmEmail : confirmPhone)(tx, user, at)
  const action = user.invited_at ? 'invite_accepted' : 'user_signedup'
  await audit(tx, { action, actor: user, client, traits: { provider: isEmail ? 'email' : 'phone' } })
  return confirmed
}

/**
 * Whoever opens the mailbox without having signed up need not have chosen the ways into an unconfirmed account:
 * somebody may have put them there beforehand, to come in later by them.
 */
async function dropUnproved(tx: Transaction, user: UserRow, at: string): Promise<UserRow> {
  if (user.confirmed_at) return user
  if (user.encrypted_password) await updateUser(tx, user.id, { encrypted_password: null })
  return dropUnprovedIdentities(tx, await reload(tx, user.id), at)
}

/** Both mailboxes have to agree; an account without an address needs only the new one. */
async function confirmEmailChange(
  tx: Transaction,
  user: UserRow,
  { at, client }: Redemption,
): Promise<Redeemed> {
  if (!user.email_change) throw authErrors.otpExpired()
  if (user.email && user.email_change_confirm_status !== 1) {
    await updateUser(tx, user.id, { email_change_confirm_status: 1, updated_at: at })
    return { user: await reload(tx, user.id), awaitsOtherMailbox: true }
  }
  const changed = await changeAddress(tx, user, { email: user.email_change }, at).catch(refuseTaken)
  await audit(tx, { action: 'user_modified', actor: changed, client, traits: { changed: 'email' } })
  return { user: changed, awaitsOtherMailbox: false }
}

async function changePhone(tx: Transaction, user: UserRow, { at, client }: Redemption): Promise<UserRow> {
  if (!user.phone_change) throw authErrors.otpExpired()
  const changed = await changeAddress(tx, user, { phone: user.phone_change }, at).catch(refuseTaken)
  await audit(tx, { action: 'user_modified', actor: changed, client, traits: { changed: 'phone' } })
  return changed
}
