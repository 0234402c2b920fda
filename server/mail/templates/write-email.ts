import { render, toPlainText } from '@react-email/render'
import type { ReactElement } from 'react'
import type { Email } from '../port.ts'
import { NoticeEmail, TokenEmail } from './email.ts'
import { messages, type TokenEmailKind } from './messages.ts'
import { type NoticeKind, notices } from './notices.ts'

interface TokenEmailContent {
  kind: TokenEmailKind
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
export async function writeEmail(content: TokenEmailContent): Promise<Email> {
  const { kind, to, code, link, siteUrl, newEmail = '' } = content
  const message = { ...messages[kind], body: messages[kind].body.replace('{newEmail}', () => newEmail) }
  return finished(to, message.subject, TokenEmail({ message, link, code, siteUrl }))
}

interface NoticeContent {
  kind: NoticeKind
  to: string
  /** ISO 8601. */
  at: string
  detail: string | undefined
  siteUrl: string
}

/** The finished notice of a change to an account, in both forms. */
export async function writeNotice({ kind, to, at, detail, siteUrl }: NoticeContent): Promise<Email> {
  const { subject, heading, ifNotYou, body, plainBody = body } = notices[kind]
  const notice = { heading, ifNotYou, body: detail ? body.replace('{detail}', () => detail) : plainBody }
  return finished(to, subject, NoticeEmail({ notice, when: inWords(at), siteUrl }))
}

async function finished(to: string, subject: string, content: ReactElement): Promise<Email> {
  const html = await render(content)
  return { to, subject, html, text: toPlainText(html) }
}

const date = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

/** Where its reader lives is not known. */
const inWords = (at: string): string => `${date.format(new Date(at))} UTC`
