import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** Where a hostile client aims. */
export interface Target {
  port: number
  publishableKey: string
  /** Addresses on the site. */
  recording: string
  picture: string
  /** An account of somebody else. */
  email: string
}

/** A request as text, ready for the socket; `n` counts them. */
type Write = (target: Target, n: number) => string | Buffer

/** What one anonymous client does, over so many connections at once. */
export interface HostileKind {
  connections: number
  /** Asks again as soon as it has an answer. */
  write: Write
  /** How it uses its connections, where it is not simply by asking and reading. */
  manner?: 'sends slowly' | 'never reads'
}

const get = (path: string, headers = ''): string => `GET ${path} HTTP/1.1\r\nhost: site\r\n${headers}\r\n`
const rest =
  (path: (n: number) => string): Write =>
  ({ publishableKey }, n) =>
    get(`/rest/v1/${path(n)}`, `apikey: ${publishableKey}\r\n`)

const post = (path: string, body: string | Buffer, { publishableKey }: Target): Buffer => {
  const head = `POST ${path} HTTP/1.1\r\nhost: site\r\napikey: ${publishableKey}\r\ncontent-type: application/json\r\n`
  return Buffer.concat([Buffer.from(`${head}content-length: ${body.length}\r\n\r\n`), Buffer.from(body)])
}

const or = (filters: string[]) => `resources?select=id&or=(${filters.join(',')})`
const many = (count: number, of: (n: number) => string): string[] =>
  Array.from({ length: count }, (_, n) => of(n))
const coded = (text: string) => encodeURIComponent(`"${text}"`)
const HUGE = Buffer.alloc(10 * 1024 * 1024, 0x20)
const SIZES = [160, 320, 480, 640, 960, 1280, 1600]

/** Everything that one anonymous client has been seen to do, each alone. */
export const hostileKinds: Readonly<Record<string, HostileKind>> = {
  'heavy regular expressions': {
    connections: 32,
    write: rest((n) => or(many(4, (i) => `article_content.imatch.${coded(`(.*a|.*b)*${n}${i}.{20}$`)}`))),
  },
  'regular expressions that look ahead': {
    connections: 32,
    write: rest((n) => or(many(20, (i) => `article_content.match.${coded(`(?=.*a)(?!.*${n}${i})x`)}`))),
  },
  'hundreds of alternatives': {
    connections: 32,
    write: rest((n) => or(many(400, (i) => `article_content.ilike.*${n}${i}*`))),
  },
  'full-text operators': {
    connections: 32,
    write: rest((n) => or(many(100, (i) => `article_content.wfts(english).${n}x${i}`))),
  },
  'one column under 800 names': {
    connections: 32,
    write: rest((n) => `resources?select=${many(n % 2 ? 800 : 8, (i) => `a${i}:article_content`).join(',')}`),
  },
  'bodies of 10 MB': {
    connections: 16,
    write: (target, n) =>
      post(
        ['/rest/v1/resources', '/auth/v1/token?grant_type=password', '/storage/v1/object/list/images'][
          n % 3
        ] ?? '',
        HUGE,
        target,
      ),
  },
  'searches nobody made before': { connections: 64, write: (_, n) => get(`/resources?q=x${n.toString(36)}`) },
  'data of pages nobody saw': {
    connections: 64,
    write: (_, n) => get(`/resources.data?q=y${n.toString(36)}`),
  },
  'pictures in all sizes': {
    connections: 32,
    write: ({ picture }, n) =>
      get(
        `${picture}?width=${SIZES[n % 7]}&height=${SIZES[Math.floor(n / 7) % 7]}&resize=${n % 2 ? 'fill' : 'contain'}&quality=${n % 3 ? 50 : 80}&format=${n % 5 ? 'avif' : 'webp'}`,
      ),
  },
  'bodies sent drop by drop': {
    connections: 300,
    write: (target) => post('/rest/v1/resources', '{'.padEnd(60_000), target),
    manner: 'sends slowly',
  },
  'answers never read': {
    connections: 200,
    write: ({ recording, publishableKey }, n) =>
      n % 2 ? get(recording) : get('/rest/v1/resources?select=*', `apikey: ${publishableKey}\r\n`),
    manner: 'never reads',
  },
  'long addresses with many keys': {
    connections: 32,
    write: ({ publishableKey }, n) =>
      get(
        `${n % 2 ? '/resources' : '/rest/v1/resources'}?${many(1_000, (i) => `q${i}=${n}`).join('&')}`,
        `apikey: ${publishableKey}\r\n`,
      ),
  },
  'wrong passwords': {
    connections: 32,
    write: (target, n) =>
      post(
        '/auth/v1/token?grant_type=password',
        JSON.stringify({ email: n % 2 ? target.email : `x${n}@example.org`, password: 'wrong' }),
        target,
      ),
  },
  'a thousand connections': { connections: 1_000, write: () => get('/resources') },
}

/** Acts as one such client, from one address, until the signal ends it. */
export async function actHostile(
  { connections, write, manner }: HostileKind,
  target: Target,
  from: string,
  signal: AbortSignal,
): Promise<void> {
  let n = 0
  const one = async () => {
    while (!signal.aborted) {
      await openConnection({ next: () => write(target, n++), manner, target, from, signal })
      // Refused or hung up: at once again, but not in a loop that would only burn our own processor.
      await pause(20)
    }
  }
  await Promise.all(Array.from({ length: connections }, one))
}

interface Use {
  next: () => string | Buffer
  manner: HostileKind['manner']
  target: Target
  from: string
  signal: AbortSignal
}

/** One connection, until it ends: the next request goes out when something of the last answer has come. */
const openConnection = ({ next, manner, target, from, signal }: Use): Promise<void> =>
  new Promise((resolve) => {
    const socket = connect({ port: target.port, host: '127.0.0.1', localAddress: from })
    const end = () => socket.destroy()
    let drops: NodeJS.Timeout | undefined
    signal.addEventListener('abort', end, { once: true })
    socket.once('close', () => {
      clearInterval(drops)
      signal.removeEventListener('abort', end)
      resolve()
    })
    socket.on('error', end)
    socket.once('connect', () => {
      if (manner === 'never reads') socket.pause()
      if (manner !== 'sends slowly') return void socket.write(next())
      const text = next()
      let said = 200
      socket.write(text.slice(0, said))
      drops = setInterval(() => socket.write(text.slice(said, ++said)), 1_000)
    })
    if (manner === undefined) {
      const answers = new AnswerReader()
      socket.on('data', (chunk) => {
        for (let whole = answers.take(chunk); whole > 0; whole--) if (!socket.destroyed) socket.write(next())
      })
    }
  })

/** Counts whole answers in a stream of bytes without keeping them. */
class AnswerReader {
  private head = ''
  private left = 0
  private chunked = false

  /** How many answers have ended with this chunk. */
  take(chunk: Buffer): number {
    let ended = 0
    for (let at = 0; at < chunk.length; ) {
      if (this.chunked) {
        if (!chunk.subarray(at).toString('latin1').endsWith('0\r\n\r\n')) return ended
        this.chunked = false
        return ended + 1
      }
      if (this.left > 0) {
        const step = Math.min(this.left, chunk.length - at)
        at += step
        this.left -= step
        if (this.left === 0) ended++
        continue
      }
      this.head += chunk.toString('latin1', at)
      const end = this.head.indexOf('\r\n\r\n')
      if (end < 0) return ended
      const body = this.head.length - end - 4
      const length = /content-length: (\d+)/i.exec(this.head.slice(0, end))?.[1]
      this.chunked = length === undefined
      at = chunk.length - body
      this.left = Number(length ?? 0)
      this.head = ''
      if (!this.chunked && this.left === 0) ended++
    }
    return ended
  }
}
