import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'

/** A real SMTP server on a free port of 127.0.0.1 that keeps what it is sent. */
export interface TestSmtp {
  url: string
  mails: ParsedMail[]
  /** Answers every message with a failure from now on, or takes them again. */
  refuse(isRefusing: boolean): void
  stop(): Promise<void>
}

export async function startSmtp(): Promise<TestSmtp> {
  const mails: ParsedMail[] = []
  let isRefusing = false
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onMailFrom: (_address, _session, done) => done(isRefusing ? new Error('451 not now') : null),
    onData: async (stream, _session, done) => {
      mails.push(await simpleParser(stream))
      done()
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    refuse: (value) => {
      isRefusing = value
    },
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}
