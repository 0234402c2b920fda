import { Body } from '@react-email/body'
import { Button } from '@react-email/button'
import { Container } from '@react-email/container'
import { Head } from '@react-email/head'
import { Heading } from '@react-email/heading'
import { Html } from '@react-email/html'
import { Preview } from '@react-email/preview'
import { Text } from '@react-email/text'
import { createElement as h, type ReactElement, type ReactNode } from 'react'
import type { Message } from './messages.ts'
import type { Notice } from './notices.ts'

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
