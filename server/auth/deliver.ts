import type { MailKind } from '#server/mail/templates/messages.ts'
import { authErrors } from './errors.ts'
import type { IssuedToken, Undo } from './one-time-tokens/issue.ts'
import type { Services } from './services.ts'
import { SmsNotSent } from './sms/port.ts'
import { renderUser } from './users/render-user.ts'
import type { UserRow } from './users/rows.ts'

/** How links call what they are for; verifyOtp takes the same words. */
export type LinkType = 'signup' | 'invite' | 'magiclink' | 'recovery' | 'email_change'

export interface Letter {
  kind: MailKind
  to: string
  token: IssuedToken
  /** Missing for codes without a link. */
  link?: { type: LinkType; redirectTo: string }
  newEmail?: string
}

/** The address that a mail's button opens (protocol.md 2.5). */
export function linkFor(
  issuer: string,
  secret: string,
  { type, redirectTo }: { type: LinkType; redirectTo: string },
) {
  return `${issuer}/verify?${new URLSearchParams({ token: secret, type, redirect_to: redirectTo })}`
}

/**
 * Sends mails whose tokens are committed, never inside a transaction: a slow mail server must not hold the database.
 * If one of them cannot be sent, everything is taken back, so that a retry starts from where it was.
 * Errors: MailNotSent.
 */
export async function deliver(services: Services, letters: readonly Letter[], undo: readonly Undo[] = []) {
  const { mailer, settings } = services
  // Loaded with the first mail: the templates bring React.
  const { writeMail } = await import('#server/mail/templates/write-mail.ts')
  try {
    for (const { kind, to, token, link, newEmail } of letters) {
      await mailer.send(
        await writeMail({
          kind,
          to,
          code: token.code,
          siteUrl: settings.siteUrl,
          ...(link && { link: linkFor(settings.issuer, token.linkSecret, link) }),
          ...(newEmail && { newEmail }),
        }),
      )
    }
  } catch (error) {
    await takeBack(services, [...letters.map((letter) => letter.token.undo), ...undo])
    throw error
  }
}

interface TextMessage {
  phone: string
  channel: 'sms' | 'whatsapp'
  user: UserRow
  token: IssuedToken
}

/** The same for text messages. Test numbers get none. Errors: sms_send_failed. */
export async function deliverSms(
  services: Services,
  message: TextMessage,
  undo: readonly Undo[] = [],
): Promise<{ messageId?: string }> {
  const { phone, channel, user, token } = message
  if (services.settings.testOtps.has(phone)) return {}
  try {
    return await services.sms.send({ phone, channel, code: token.code, user: renderUser(user) })
  } catch (error) {
    await takeBack(services, [token.undo, ...undo])
    throw error instanceof SmsNotSent ? authErrors.smsNotSent(error.cause) : error
  }
}

/** In the order given: the tokens first, then what they belong to. */
const takeBack = ({ db }: Services, steps: readonly Undo[]) =>
  db.asOwner('the message could not be sent', async (tx) => {
    for (const step of steps) await step(tx)
  })

/**
 * The pause that an address has to wait between two messages of a kind, whether it has an account or not. If `work`
 * fails, the pause does not begin. Errors: over_email_send_rate_limit, over_sms_send_rate_limit.
 */
export async function inMessageSlot<T>(
  { limits }: Services,
  slot: { kind: string; email: string } | { kind: string; phone: string },
  work: () => Promise<T>,
): Promise<T> {
  const address = 'email' in slot ? slot.email : slot.phone
  await ('email' in slot ? limits.takeMailSlot(slot.kind, address) : limits.takeSmsSlot(slot.kind, address))
  try {
    return await work()
  } catch (error) {
    await limits.returnSlot(slot.kind, address)
    throw error
  }
}
