import { z } from 'zod'
import type { Transaction } from '#server/database/port.ts'
import { audit } from '../audit.ts'
import { type Client, clientOf, type Endpoint, nowIso, type Services } from '../context.ts'
import { notifyAccountChange } from '../emails.ts'
import { authErrors, refuseTaken } from '../errors.ts'
import { email, optional, phone, readBody } from '../request-body.ts'
import { type IssuedSession, startSession, tokenResponse } from '../sessions/lifecycle.ts'
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
import {
  isForPhone,
  isPurpose,
  type OneTimeTokenRow,
  type Purpose,
  purposes,
  takeToken,
  tokenByCode,
  tokenByLink,
} from './one-time-tokens.ts'

const proof = z.string().max(256, 'Token is too long')
const Body = z.object({
  type: optional(z.string()),
  token: optional(proof),
  token_hash: optional(proof),
  email: optional(email),
  phone: optional(phone),
})
type Body = z.output<typeof Body>

/** What a client presents: the secret of a link, or a code with the address that it was sent to. */
type Presented = { purpose: Purpose } & ({ linkSecret: string } | { code: string; address: string })

export const AWAITS_OTHER =
  'Confirmation link accepted. Please proceed to confirm link sent to the other email'

/** POST /verify: a session for a code or a link's secret, which is used up by it. */
export const verify: Endpoint = async (c) => {
  const { services } = c.var
  const presented = readProof(await readBody(c, Body))
  const account = 'address' in presented ? presented.address : undefined
  if (account) await services.limits.count('code', account)
  const issued = await services.db.asOwner('verify', (tx) => prove(tx, services, presented, clientOf(c)))
  if (issued === 'wrong') throw authErrors.otpExpired()
  if (account) await services.limits.forget('code', account)
  if (issued === 'awaits other mailbox') return c.json({ msg: AWAITS_OTHER, code: '200' })
  return c.json(await tokenResponse(services, issued))
}

/** Errors: validation_failed, with GoTrue's rules of what goes with what. */
function readProof({ type, token, token_hash: hash, email, phone }: Body): Presented {
  if (!type) throw authErrors.invalid('Verify requires a verification type')
  if (!isPurpose(type)) throw authErrors.invalid('Unsupported verification type')
  if (hash) {
    if (email || phone || token) throw authErrors.invalid('Only the token_hash and type should be provided')
    return { purpose: type, linkSecret: hash }
  }
  if (!token) throw authErrors.invalid('Verify requires a token or a token hash')
  const address = isForPhone(type) ? phone : email
  if (!address || (email && phone)) {
    throw authErrors.invalid('Only an email address or phone number should be provided on verify')
  }
  return { purpose: type, code: token, address }
}

async function prove(
  tx: Transaction,
  services: Services,
  presented: Presented,
  client: Client,
): Promise<IssuedSession | 'wrong' | 'awaits other mailbox'> {
  const token = await findToken(tx, services, presented)
  if (!token) return 'wrong'
  const { user, awaitsOtherMailbox } = await redeem(tx, services, token, client)
  if (awaitsOtherMailbox) return 'awaits other mailbox'
  await audit(tx, {
    action: 'login',
    actor: user,
    client,
    traits: { provider: token.relates_to.includes('@') ? 'email' : 'phone' },
  })
  return startSession(tx, services, { user, method: 'otp', client })
}

async function findToken(
  tx: Transaction,
  services: Services,
  presented: Presented,
): Promise<OneTimeTokenRow | undefined> {
  const types = purposes[presented.purpose]
  if ('linkSecret' in presented) return tokenByLink(tx, services, presented.linkSecret, types)
  const { address, code } = presented
  const user = await findUser(tx, byAddress(presented.purpose, address))
  // A change of address may be confirmed by a code from the mailbox that is still the current one.
  const other = !user && presented.purpose === 'email_change' ? await findUser(tx, { email: address }) : user
  return other && tokenByCode(tx, services, { userId: other.id, code, address, types })
}

const byAddress = (purpose: Purpose, address: string) => {
  if (purpose === 'email_change') return { emailChange: address }
  if (purpose === 'phone_change') return { phoneChange: address }
  return purpose === 'sms' ? { phone: address } : { email: address }
}

interface Redeemed {
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
  const redemption = { token, at: nowIso(services), client, services }
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
