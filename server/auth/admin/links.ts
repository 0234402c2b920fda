import { z } from 'zod'
import type { Transaction } from '#server/database/port.ts'
import { audit, traitsOf } from '../audit.ts'
import { clientOf, type Endpoint, nowIso, type Services } from '../context.ts'
import { enqueueLinkEmail, type LinkType, linkFor } from '../emails.ts'
import { authErrors, retryOnConflict } from '../errors.ts'
import { type IssuedToken, issueToken, type TokenType } from '../otp/one-time-tokens.ts'
import { hashPassword, mustBeStrong, type PasswordRules } from '../password/passwords.ts'
import { accountToConfirm } from '../password/sign-up.ts'
import { redirectTarget } from '../redirects.ts'
import { email, metadata, optional, password, readBody } from '../request-body.ts'
import {
  claimUnconfirmedAccount,
  createAccount,
  evictUnconfirmedHolder,
  mergeMetadata,
  reload,
} from '../users/accounts.ts'
import { findUser, updateUser } from '../users/queries.ts'
import { type Metadata, renderUser, type UserRow } from '../users/user.ts'

const InviteBody = z.object({ email, data: optional(metadata) })

/** POST /invite: an account for somebody, and a mail that asks them in. */
export const invite: Endpoint = async (c) => {
  const { services } = c.var
  const { email, data } = await readBody(c, InviteBody)
  const redirectTo = redirectTarget(c)
  const user = await retryOnConflict(() =>
    services.db.asOwner('invite', async (tx) => {
      const user = await invitedAccount(tx, services, { email, data })
      await enqueueLinkEmail(tx, services, { user, email, type: 'invite', redirectTo })
      const traits = traitsOf(user)
      await audit(tx, { action: 'user_invited', actor: undefined, client: clientOf(c), traits })
      return reload(tx, user.id)
    }),
  )
  return c.json(renderUser(user))
}

interface Invitation {
  email: string
  data: Metadata | undefined
}

/**
 * The account that an invitation is for: a new one, or one that nobody has confirmed yet, without what whoever made it
 * left in it. Errors: email_exists.
 */
async function invitedAccount(
  tx: Transaction,
  { now }: Pick<Services, 'now'>,
  { email, data }: Invitation,
): Promise<UserRow> {
  const at = nowIso({ now })
  const known = await findUser(tx, { email }, { lock: true })
  if (known?.confirmed_at) throw authErrors.emailExists()
  if (!known) return createAccount(tx, { email, data, columns: { invited_at: at }, at })
  const { raw_user_meta_data: kept } = await claimUnconfirmedAccount(tx, known, { at })
  const merged = mergeMetadata(kept, data ?? {})
  await updateUser(tx, known.id, { invited_at: at, raw_user_meta_data: merged, updated_at: at })
  return reload(tx, known.id)
}

const types = [
  'signup',
  'invite',
  'magiclink',
  'recovery',
  'email_change_current',
  'email_change_new',
] as const

const Body = z.object({
  type: z.enum(types, `Invalid email action link type requested: must be one of ${types.join(', ')}`),
  email,
  password: optional(password),
  new_email: optional(email),
  data: optional(metadata),
  redirect_to: optional(z.string()),
})
type Body = z.output<typeof Body>
type LinkKind = Body['type']

/** POST /admin/generate_link: what a mail would carry, for owners who send mails of their own. */
export const generateLink: Endpoint = async (c) => {
  const { services } = c.var
  const body = await readBody(c, Body)
  const passwordHash = body.type === 'signup' ? await signUpHash(body, services.settings.password) : undefined
  const redirectTo = redirectTarget(c, body.redirect_to)
  const options: LinkOptions = { ...kindOf(body), email: body.email, data: body.data, passwordHash }
  const { user, token, linkType, verificationType } = await retryOnConflict(() =>
    services.db.asOwner('generate link', async (tx) => {
      const link = await prepareLink(tx, services, options)
      const traits = { ...traitsOf(link.user), link: link.verificationType }
      await audit(tx, { action: 'link_generated', actor: undefined, client: clientOf(c), traits })
      return link
    }),
  )
  return c.json({
    ...renderUser(user),
    action_link: linkFor(services.settings.issuer, token.linkSecret, { type: linkType, redirectTo }),
    email_otp: token.code,
    hashed_token: token.linkSecret,
    verification_type: verificationType,
    redirect_to: redirectTo,
  })
}

function kindOf({ type, new_email: newEmail }: Body): Pick<LinkOptions, 'type' | 'newEmail'> {
  if (type !== 'email_change_current' && type !== 'email_change_new') return { type }
  if (!newEmail) throw authErrors.invalid('new_email is required to change an email address')
  return { type, newEmail }
}

async function signUpHash({ password }: Body, rules: PasswordRules): Promise<string> {
  if (!password) throw authErrors.invalid('Signup requires a valid password')
  await mustBeStrong(password, rules)
  return hashPassword(password)
}

interface LinkOptions {
  type: LinkKind
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
  verificationType: LinkKind
}

/** Errors: user_not_found, email_exists. */
async function prepareLink(tx: Transaction, services: Services, options: LinkOptions): Promise<PreparedLink> {
  const { user, verificationType } = await resolveAccount(tx, services, options)
  const { linkType, tokenType, address } = linkOf(verificationType, options)
  const token = await issueToken(tx, services, { user, type: tokenType, address })
  return { user: await reload(tx, user.id), token, linkType, verificationType }
}

async function resolveAccount(
  tx: Transaction,
  services: Services,
  options: LinkOptions,
): Promise<{ user: UserRow; verificationType: LinkKind }> {
  const { type, email, data } = options
  const at = nowIso(services)
  if (type === 'signup') {
    const { passwordHash: hash } = options
    const password = hash === undefined ? undefined : { hash, earlierHash: undefined }
    const signUp = { address: { email }, password, data, isTrusted: true }
    const user = await accountToConfirm(tx, services, signUp)
    if (!user) throw authErrors.emailExists()
    return { user, verificationType: type }
  }
  if (type === 'invite') return { user: await invitedAccount(tx, services, options), verificationType: type }
  const known = await findUser(tx, { email }, { lock: true })
  if (known && options.newEmail) await rememberChange(tx, known, options.newEmail, at)
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
  type: LinkKind,
  { email, newEmail = '' }: LinkOptions,
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
