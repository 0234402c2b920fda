import { render, toPlainText } from '@react-email/render'
import type { Mail } from '../port.ts'
import { Letter } from './letter.ts'
import { type MailKind, messages } from './messages.ts'

export interface MailContent {
  kind: MailKind
  to: string
  /** Six digits. */
  code: string
  /** Missing where the code is all there is. */
  link?: string
  siteUrl: string
  /** The address to come, for a change of address. */
  newEmail?: string
}

/** The finished mail in both forms. React escapes what people chose, such as the new address. */
export async function writeMail({
  kind,
  to,
  code,
  link,
  siteUrl,
  newEmail = '',
}: MailContent): Promise<Mail> {
  const message = { ...messages[kind], body: messages[kind].body.replace('{newEmail}', () => newEmail) }
  const html = await render(Letter({ message, link, code, siteUrl }))
  return { to, subject: message.subject, html, text: toPlainText(html) }
}
