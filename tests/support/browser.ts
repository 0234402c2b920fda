import type { AuthServer } from './auth.ts'

type Fetch = typeof fetch
interface Cookie {
  value: string
  sameSite: string
}

/** Where somebody ended up: an address of the site, or an answer that sends them nowhere. */
export interface Arrived {
  url: URL
  /** What the address's fragment holds. */
  fragment: URLSearchParams
  response: Response | undefined
}

const MAX_HOPS = 20

/**
 * A browser as far as flows need one: it follows redirects between the service (in this process) and real servers, and
 * keeps cookies for each, without those that browsers hold back when another site posts a form.
 */
export function openBrowser(server: AuthServer) {
  const { issuer } = server.deps.settings
  const jars = new Map<string, Map<string, Cookie>>()
  const isService = (url: URL) => url.href.startsWith(`${issuer}/`)

  async function request(url: URL, init: RequestInit, { crossSite = false } = {}): Promise<Response> {
    const jar = jars.get(url.origin) ?? new Map<string, Cookie>()
    jars.set(url.origin, jar)
    const cookies = [...jar].filter(([, { sameSite }]) => !crossSite || sameSite === 'none')
    const headers = new Headers(init.headers)
    if (cookies.length > 0)
      headers.set('cookie', cookies.map(([name, { value }]) => `${name}=${value}`).join('; '))
    const send = isService(url) ? server.fetch : fetch
    const response = await send(url.href, { ...init, headers, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) keep(jar, line)
    return response
  }

  async function go(address: string | URL, init: RequestInit = {}, options = {}): Promise<Arrived> {
    let url = new URL(address)
    let response = await request(url, { ...init, headers: { accept: 'text/html', ...init.headers } }, options)
    for (let hops = 0; hops < MAX_HOPS; hops++) {
      const next = response.headers.get('location')
      if (!next) return arrivedAt(url, response)
      url = new URL(next, url)
      const isElsewhere = !isService(url) && url.hostname !== '127.0.0.1'
      if (isElsewhere) return arrivedAt(url)
      response = await request(url, { headers: { accept: 'text/html' } })
    }
    throw new Error('too many redirects')
  }

  return {
    /** Opens an address and follows where it leads, up to a page that is no server of the test. */
    go,
    /** One request without following anything. */
    open: (address: string | URL, init: RequestInit = {}) => request(new URL(address), init),
    /** A form that a page of another site posts. */
    post: (address: string, fields: Record<string, string>) =>
      go(address, { method: 'POST', body: new URLSearchParams(fields) }, { crossSite: true }),
    /** What a script of the site fetches: with the site's cookies. */
    fetch: ((input, init) => request(new URL(String(input)), init ?? {})) as Fetch,
  }
}

const arrivedAt = (url: URL, response?: Response): Arrived => ({
  url,
  fragment: new URLSearchParams(url.hash.slice(1)),
  response,
})

function keep(jar: Map<string, Cookie>, line: string): void {
  const [pair = '', ...attributes] = line.split(';').map((part) => part.trim())
  const cut = pair.indexOf('=')
  const [name, value] = [pair.slice(0, cut), pair.slice(cut + 1)]
  const sameSite =
    /^samesite=(.*)$/i.exec(attributes.find((text) => /^samesite=/i.test(text)) ?? '')?.[1] ?? 'lax'
  if (value === '') jar.delete(name)
  else jar.set(name, { value, sameSite: sameSite.toLowerCase() })
}
