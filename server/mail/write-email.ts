import { Body } from '@react-email/body'
import { Button } from '@react-email/button'
import { Container } from '@react-email/container'
import { Head } from '@react-email/head'
import { Heading } from '@react-email/heading'
import { Html } from '@react-email/html'
import { Preview } from '@react-email/preview'
import { render, toPlainText } from '@react-email/render'
import { Text } from '@react-email/text'
import { createElement as h, type ReactElement, type ReactNode } from 'react'
import type { Email } from './mailer.ts'
import { type Notice, type NoticeKind, notices } from './notice-emails.ts'
import { type Message, messages, type TokenEmailKind } from './token-emails.ts'

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

const font = "'Figtree', -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"
const text = { fontFamily: font, fontSize: '16px', lineHeight: '26px', color: '#2a2522' }
const style = {
  page: { backgroundColor: '#fff7ed', margin: 0, padding: '32px 12px' },
  sheet: { backgroundColor: '#ffffff', borderRadius: '16px', maxWidth: '520px', padding: '36px 40px' },
  name: { ...text, color: '#c2410c', fontWeight: 700, margin: '0 0 24px' },
  heading: { ...text, fontSize: '24px', lineHeight: '32px', fontWeight: 700, margin: '0 0 12px' },
  button: {
    ...text,
    // Our orange, one step darker than on the screen, so that white text on it can be read (4.5:1).
    backgroundColor: '#c2410c',
    color: '#ffffff',
    borderRadius: '10px',
    fontWeight: 600,
    padding: '12px 24px',
    textDecoration: 'none',
  },
  code: {
    ...text,
    fontSize: '30px',
    lineHeight: '40px',
    letterSpacing: '8px',
    fontWeight: 700,
    margin: '4px 0 20px',
  },
  small: { ...text, fontSize: '14px', lineHeight: '22px', color: '#57534e' },
}

interface SheetProps {
  /** What mail programs show beside the subject. */
  preview: string
  heading: string
  siteUrl: string
}

/** The one page that all our mails are written on. JSX would need a build; the server runs from source. */
const sheet = ({ preview, heading, siteUrl }: SheetProps, ...content: ReactNode[]): ReactElement =>
  h(
    Html,
    { lang: 'en' },
    h(Head),
    h(Preview, null, preview),
    h(
      Body,
      { style: style.page },
      h(
        Container,
        { style: style.sheet },
        h(Text, { style: style.name }, 'Walking Together'),
        h(Heading, { as: 'h1', style: style.heading }, heading),
        ...content,
        h(Text, { style: style.small }, siteUrl),
      ),
    ),
  )

interface TokenEmailProps {
  message: Message
  link?: string | undefined
  code: string
  siteUrl: string
}

/** A mail with a code, and a button where there is something to open. */
export const TokenEmail = ({ message, link, code, siteUrl }: TokenEmailProps): ReactElement =>
  sheet(
    { preview: message.body, heading: message.heading, siteUrl },
    h(Text, { style: text }, message.body),
    link && message.button ? h(Button, { href: link, style: style.button }, message.button) : null,
    h(Text, { style: text }, message.beforeCode),
    h(Text, { style: style.code }, code),
    h(Text, { style: style.small }, `This works once, and for one hour. ${message.ignore}`),
  )

interface NoticeEmailProps {
  notice: Pick<Notice, 'heading' | 'body' | 'ifNotYou'>
  /** When it happened, in words. */
  when: string
  siteUrl: string
}

/** A mail that tells what happened: nothing to press, since whoever is frightened should not learn to press buttons in mails. */
export const NoticeEmail = ({ notice, when, siteUrl }: NoticeEmailProps): ReactElement =>
  sheet(
    { preview: notice.body, heading: notice.heading, siteUrl },
    h(Text, { style: text }, notice.body),
    h(Text, { style: text }, `This happened on ${when}. If it was you, there is nothing to do.`),
    h(Text, { style: text }, notice.ifNotYou),
  )
