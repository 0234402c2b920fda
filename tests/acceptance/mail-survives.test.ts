import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type ServerGroup, startGroup } from '#tests/support/server-group.ts'
import { endProcess, freePort, type ServerProcess } from '#tests/support/server-process.ts'
import { startSmtp, type TestSmtp } from '#tests/support/smtp.ts'

const patiently = { timeout: 300_000 }
/** What a killed process had begun expires after a minute, is noticed within half a minute, and then tried again. */
const soon = { timeout: 130_000, interval: 100 }

/** Two processes over one database; the mail server's address is known before there is one. */
let group: ServerGroup
let port: number
beforeAll(async () => {
  port = await freePort()
  const env = { EARLY_ACCESS: 'off', STARTER_CONTENT: 'off', SMTP_URL: `smtp://127.0.0.1:${port}` }
  group = await startGroup(2, { ...env, AUTH_EMAIL_INTERVAL: '0', AUTH_RATE_LIMITS: 'off' })
}, 180_000)
afterAll(() => group?.remove())

const signUp = async (email: string) => {
  const [{ url, keys }] = group.servers as [ServerProcess]
  const answer = await fetch(`${url}/auth/v1/signup`, {
    method: 'POST',
    headers: { apikey: keys.publishable, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'correct-horse-9' }),
  })
  return answer.status
}

const mailsTo = (smtp: TestSmtp, address: string) =>
  smtp.mails.filter(({ to }) => [to].flat()[0]?.text === address).length

it(
  'is sent once by whoever is left when the mail server is down and every process is killed',
  patiently,
  async () => {
    const people = Array.from({ length: 6 }, (_, i) => `person-${i}@example.org`)
    for (const email of people) expect(await signUp(email)).toBe(200)
    await Promise.all(group.servers.map(({ process }) => endProcess(process, 'SIGKILL')))

    const smtp = await startSmtp(port)
    try {
      await Promise.all(group.servers.map((_, index) => group.restart(index)))
      await vi.waitFor(() => expect(smtp.mails.length).toBeGreaterThanOrEqual(people.length), soon)
      // With both processes at work each mail is sent by one of them.
      const more = Array.from({ length: 6 }, (_, i) => `later-${i}@example.org`)
      expect(await Promise.all(more.map(signUp))).toEqual(more.map(() => 200))
      await vi.waitFor(
        () => expect(smtp.mails.length).toBeGreaterThanOrEqual(people.length + more.length),
        soon,
      )
      expect([...people, ...more].map((email) => mailsTo(smtp, email))).toEqual(
        [...people, ...more].map(() => 1),
      )
    } finally {
      await smtp.stop()
    }
  },
)
