import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'

/** A real SMTP server on a free port of 127.0.0.1 that keeps what it is sent. */
export interface TestSmtp {
  url: string
  mails: ParsedMail[]
  /** Answers every message with a failure from now on, or takes them again. */
  refuse(isRefusing: boolean): void
  /** Answers `550` for these recipients from now on. */
  bounce(address: string): void
  /** Takes their mails again. */
  welcome(address: string): void
  stop(): Promise<void>
}

/** `port`: of a server that was stopped, and comes back. */
export async function startSmtp(port = 0): Promise<TestSmtp> {
  const mails: ParsedMail[] = []
  const bounced = new Set<string>()
  let isRefusing = false
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onMailFrom: (_address, _session, done) =>
      done(isRefusing ? Object.assign(new Error('not now'), { responseCode: 451 }) : null),
    onRcptTo: ({ address }, _session, done) =>
      done(bounced.has(address) ? Object.assign(new Error('no such mailbox'), { responseCode: 550 }) : null),
    onData: async (stream, _session, done) => {
      // Half a mail, of a client that was killed, is none.
      const mail = await simpleParser(stream).catch(() => undefined)
      if (mail) mails.push(mail)
      done()
    },
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  // A client that is killed in the middle of a mail breaks its connection, and nothing else.
  server.on('error', () => undefined)
  const address = server.server.address()
  const ownPort = typeof address === 'object' && address ? address.port : 0
  return {
    url: `smtp://127.0.0.1:${ownPort}`,
    mails,
    refuse: (value) => {
      isRefusing = value
    },
    bounce: (address) => void bounced.add(address),
    welcome: (address) => void bounced.delete(address),
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}
