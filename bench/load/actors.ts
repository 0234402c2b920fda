import { setTimeout as pause } from 'node:timers/promises'
import { percentile } from '#bench/measure/rounds.ts'
import { makeAccount, openSessionFor, password } from '#tests/support/members.ts'
import type { ServerProcess } from '#tests/support/server-process.ts'
import { publicPages } from '../measure/public-pages.ts'

/** Everybody has an address of their own, as behind a proxy. */
const from = (kind: number, n: number) => ({ 'x-forwarded-for': `10.${kind}.${(n >> 8) & 255}.${n & 255}` })

/** Who is on the site at the same time. A service that trusts one proxy is expected. */
export async function actors(site: ServerProcess): Promise<Record<string, Actor>> {
  const get = (path: string, headers: Record<string, string>) => fetch(`${site.url}${path}`, { headers })
  const { home, listing, article, podcast } = await publicPages(site.url)
  const paths = [
    home,
    listing,
    article,
    podcast,
    '/resources?grade=9',
    '/resources/podcast',
    '/resources.data?page=2',
  ]
  const recording = await recordingOn(site.url + podcast)
  const member = await makeAccount(site, 'member')
  const apikey = site.keys.publishable
  const signIn = (email: string, secret: string, headers: Record<string, string>) =>
    fetch(`${site.url}/auth/v1/token?grant_type=password`, {
      method: 'POST',
      headers: { apikey, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ email, password: secret }),
    })
  const range = (n: number) => `bytes=${(n % 8) * 65_536}-${(n % 8) * 65_536 + 65_535}`
  return {
    'pages, 50 visitors': {
      many: 50,
      pauseMs: 250,
      ask: (n) => get(paths[n % paths.length] ?? '/', from(1, n)),
    },
    'searches that nobody made before, 5 visitors': {
      many: 5,
      pauseMs: 500,
      ask: (n) => get(`/resources?q=${n.toString(36)}`, from(2, n)),
    },
    'parts of recordings, 20 listeners': {
      many: 20,
      pauseMs: 500,
      ask: (n) => get(recording, { range: range(n), ...from(3, n) }),
    },
    'sign-ins, 2 members': {
      many: 2,
      pauseMs: 1_000,
      ask: (n) => signIn(member.email, password, from(4, n)),
    },
    'an admin who publishes': { many: 1, pauseMs: 5_000, ask: await publishing(site) },
    'a flood of wrong passwords from one address': {
      many: 10,
      pauseMs: 20,
      ask: (n) => signIn(`nobody-${n}@example.org`, 'wrong-password', from(5, 1)),
    },
  }
}

/** Changes the title of a resource: all pages are stale at once, and the crowd asks for them. */
async function publishing(site: ServerProcess): Promise<Actor['ask']> {
  const admin = await makeAccount(site, 'admin')
  const { access_token: token } = await openSessionFor(site, admin)
  const headers = { apikey: site.keys.publishable, authorization: `Bearer ${token}` }
  const { article } = await publicPages(site.url)
  return (n) =>
    fetch(`${site.url}/rest/v1/resources?id=eq.${article.split('/').at(-1)}`, {
      method: 'PATCH',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ title: `A title that was changed ${n} times` }),
    })
}

/** The address of the recording that a page plays. Errors: there is none. */
export async function recordingOn(page: string): Promise<string> {
  const html = await (await fetch(page)).text()
  const address = /\/storage\/v1\/object\/public\/audio\/[^"]+/.exec(html)?.[0]
  if (!address) throw new Error('the page has no recording')
  return address
}

/** What became of the requests of one kind. */
class Tally {
  readonly milliseconds: number[] = []
  readonly failures = new Map<string, number>()

  /** Times one request, body included; an answer of 400 and more, or none, is a failure, told by its status or code. */
  async time(ask: () => Promise<Response>): Promise<void> {
    const started = performance.now()
    try {
      const answer = await ask()
      await answer.arrayBuffer()
      if (answer.status >= 400) this.fail(String(answer.status))
      else this.milliseconds.push(performance.now() - started)
    } catch (error) {
      this.fail(error instanceof Error ? error.name : 'unknown')
    }
  }

  /** Number of answers, failures by kind, and percentiles in milliseconds. */
  row(): string[] {
    const failed = [...this.failures].map(([what, times]) => `${what}: ${times}`).join(', ')
    const times = this.milliseconds
    const shown =
      times.length > 0 ? [0.5, 0.95, 0.99, 1].map((share) => percentile(times, share).toFixed(1)) : []
    return [String(times.length), failed || '0', ...shown]
  }

  private fail(what: string) {
    this.failures.set(what, (this.failures.get(what) ?? 0) + 1)
  }
}

/** Somebody who asks again and again. */
interface Actor {
  /** How many of them there are. */
  many: number
  /** How long each of them thinks in between. */
  pauseMs: number
  ask: (n: number) => Promise<Response>
}

/** Lets all of them ask until the time is over. Each begins at a moment of its own. */
export async function actUntil(end: number, { many, pauseMs, ask }: Actor): Promise<Tally> {
  const tally = new Tally()
  const one = async (first: number) => {
    await pause(Math.random() * pauseMs)
    for (let n = first; performance.now() < end; n += many) {
      await tally.time(() => ask(n))
      await pause(pauseMs)
    }
  }
  await Promise.all(Array.from({ length: many }, (_, first) => one(first)))
  return tally
}
