import type { Transaction } from '#server/database/port.ts'
import type { Services } from '../context.ts'
import type { LinkType } from '../emails.ts'
import { authErrors } from '../errors.ts'
import { type IssuedToken, issueToken, type TokenType } from '../otp/one-time-tokens.ts'
import { accountToConfirm } from '../password/sign-up.ts'
import { createAccount, evictUnconfirmedHolder, reload } from '../users/accounts.ts'
import { findUser, updateUser } from '../users/queries.ts'
import type { Metadata, UserRow } from '../users/user.ts'
import { invitedAccount } from './invitation.ts'

type Type = 'signup' | 'invite' | 'magiclink' | 'recovery' | 'email_change_current' | 'email_change_new'

export interface LinkWish {
  type: Type
  email: string
  data: Metadata | undefined
  passwordHash: string | undefined
  newEmail?: string
}

interface PreparedLink {
  user: UserRow
  token: IssuedToken
  linkType: LinkType
  /** What the answer calls it: as asked, but for a magic link that makes the account. */
  verificationType: Type
}

/** Errors: user_not_found, email_exists. */
export async function prepareLink(
  tx: Transaction,
  services: Services,
  wish: LinkWish,
): Promise<PreparedLink> {
  const { user, verificationType } = await accountFor(tx, services, wish)
  const { linkType, tokenType, address } = linkOf(verificationType, wish)
  const token = await issueToken(tx, services, { user, type: tokenType, address })
  return { user: await reload(tx, user.id), token, linkType, verificationType }
}

async function accountFor(
  tx: Transaction,
  services: Services,
  wish: LinkWish,
): Promise<{ user: UserRow; verificationType: Type }> {
  const { type, email, data } = wish
  const at = new Date(services.now()).toISOString()
  if (type === 'signup') {
    const { passwordHash: hash } = wish
    const password = hash === undefined ? undefined : { hash, earlierHash: undefined }
    const signUp = { address: { email }, password, data, isTrusted: true }
    const user = await accountToConfirm(tx, services, signUp)
    if (!user) throw authErrors.emailExists()
    return { user, verificationType: type }
  }
  if (type === 'invite') return { user: await invitedAccount(tx, services, wish), verificationType: type }
  const known = await findUser(tx, { email }, { lock: true })
  if (known && wish.newEmail) await rememberChange(tx, known, wish.newEmail, at)
  if (known) return { user: known, verificationType: type }
  if (type !== 'magiclink') throw authErrors.userNotFound()
  return { user: await createAccount(tx, { email, data, at }), verificationType: 'signup' }
}

/** The other mailbox's answer to the same change is kept. */
async function rememberChange(tx: Transaction, user: UserRow, newEmail: string, at: string): Promise<void> {
  if (await evictUnconfirmedHolder(tx, { email: newEmail })) throw authErrors.emailExists()
  if (user.email_change === newEmail) return
  await updateUser(tx, user.id, { email_change: newEmail, email_change_confirm_status: 0, updated_at: at })
}

function linkOf(
  type: Type,
  { email, newEmail = '' }: LinkWish,
): { linkType: LinkType; tokenType: TokenType; address: string } {
  switch (type) {
    case 'signup':
    case 'invite':
      return { linkType: type, tokenType: 'confirmation_token', address: email }
    case 'magiclink':
    case 'recovery':
      return { linkType: type, tokenType: 'recovery_token', address: email }
    case 'email_change_current':
      return { linkType: 'email_change', tokenType: 'email_change_token_current', address: email }
    case 'email_change_new':
      return { linkType: 'email_change', tokenType: 'email_change_token_new', address: newEmail }
  }
}
