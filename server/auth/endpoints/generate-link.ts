import { z } from 'zod'
import { type LinkWish, prepareLink } from '../admin/generated-link.ts'
import { audit, traitsOf } from '../audit.ts'
import { clientOf, type Endpoint } from '../context.ts'
import { linkFor } from '../emails.ts'
import { authErrors, retryOnConflict } from '../errors.ts'
import { hashPassword, mustBeStrong } from '../password/passwords.ts'
import { redirectTarget } from '../redirects.ts'
import { email, metadata, optional, password, readBody } from '../request-body.ts'
import { renderUser } from '../users/user.ts'

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

/** POST /admin/generate_link: what a mail would carry, for owners who send mails of their own. */
export const generateLink: Endpoint = async (c) => {
  const { services } = c.var
  const body = await readBody(c, Body)
  const passwordHash = body.type === 'signup' ? await signUpHash(body, c.var.services.settings) : undefined
  const redirectTo = redirectTarget(c, body.redirect_to)
  const wish: LinkWish = { ...wishFrom(body), email: body.email, data: body.data, passwordHash }
  const { user, token, linkType, verificationType } = await retryOnConflict(() =>
    services.db.asOwner('generate link', async (tx) => {
      const link = await prepareLink(tx, services, wish)
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

function wishFrom({ type, new_email: newEmail }: Body): Pick<LinkWish, 'type' | 'newEmail'> {
  if (type !== 'email_change_current' && type !== 'email_change_new') return { type }
  if (!newEmail) throw authErrors.invalid('new_email is required to change an email address')
  return { type, newEmail }
}

async function signUpHash({ password }: Body, settings: { password: Parameters<typeof mustBeStrong>[1] }) {
  if (!password) throw authErrors.invalid('Signup requires a valid password')
  await mustBeStrong(password, settings.password)
  return hashPassword(password)
}
