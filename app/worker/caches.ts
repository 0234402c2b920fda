import { assetsIn } from './requests.ts'

/** The caches that this worker keeps. Those of members are theirs alone, and filled by their wish only. */
export const cacheNames = {
  shell: (release: string) => `shell-${release}`,
  pages: 'pages',
  assets: 'assets',
  pictures: 'pictures',
} as const

/** Which built files a kept page needs, so that others can be thrown away. */
const NEEDS = 'x-kept-needs'
const BYTES = 'x-kept-bytes'

export interface PageToKeep {
  /** Path and query of a page as visitors see it. */
  address: string
  /** What the open page had loaded besides what its HTML names. */
  assets: readonly string[]
  picture: string | null
  title: string
}

/**
 * Fetches a page as a visitor sees it, and all it needs, and puts it into a cache. A member's takes the page that
 * refuses visitors too: the member's browser fills it from what it has kept. False: nothing was kept.
 */
export async function keepPage(page: PageToKeep, cacheName: string): Promise<boolean> {
  const answer = await fetch(page.address)
  const isHtml = answer.headers.get('content-type')?.startsWith('text/html')
  const isWanted = answer.ok || (answer.status === 404 && cacheName !== cacheNames.pages)
  if (!isHtml || !isWanted || answer.redirected) return false
  const html = await answer.text()
  const needs = [...new Set([...assetsIn(html), ...page.assets])]
  await keepAssets(needs)
  if (page.picture)
    await keepPicture(page.picture, cacheName === cacheNames.pages ? cacheNames.pictures : cacheName)
  const kept = copyOf(answer, html, {
    [NEEDS]: needs.join(' '),
    'x-kept-title': encodeURIComponent(page.title),
  })
  const cache = await caches.open(cacheName)
  // Taken out first: what was read last stands last, and the oldest goes first.
  await cache.delete(page.address)
  await cache.put(page.address, kept)
  return true
}

function copyOf(answer: Response, text: string, more: Record<string, string>): Response {
  const bytes = new TextEncoder().encode(text)
  const headers = new Headers(answer.headers)
  for (const name of ['content-encoding', 'content-length', 'etag']) headers.delete(name)
  for (const [name, value] of Object.entries(more)) headers.set(name, value)
  headers.set(BYTES, String(bytes.length))
  return new Response(bytes, { headers })
}

/** Built files are named by their content: what is there need not be fetched again. */
export async function keepAssets(paths: readonly string[]): Promise<void> {
  const cache = await caches.open(cacheNames.assets)
  await Promise.all(
    paths.map(async (path) => {
      if (await cache.match(path)) return
      const answer = await fetch(path)
      if (answer.ok) await cache.put(path, answer)
    }),
  )
}

/** A page is worth keeping without its picture too. */
async function keepPicture(address: string, cacheName: string): Promise<void> {
  const cache = await caches.open(cacheName)
  if (await cache.match(address)) return
  // With CORS, so that a hosted project's picture can be measured, and is not kept when it is an error.
  const answer = await fetch(address, { mode: 'cors', credentials: 'omit' }).catch(() => undefined)
  if (!answer?.ok) return
  const bytes = await answer.arrayBuffer()
  const headers = new Headers(answer.headers)
  headers.set(BYTES, String(bytes.byteLength))
  await cache.put(address, new Response(bytes, { headers }))
}

/** Takes the oldest entries off a cacheName until it holds no more than so many, of so many bytes together. */
export async function trim(cacheName: string, most: { entries: number; bytes: number }): Promise<void> {
  const cache = await caches.open(cacheName)
  let { entries, bytes } = { entries: 0, bytes: 0 }
  for (const request of (await cache.keys()).toReversed()) {
    entries++
    bytes += Number((await cache.match(request))?.headers.get(BYTES))
    if (entries > most.entries || bytes > most.bytes) await cache.delete(request)
  }
}

/** Throws away built files that neither a kept page nor the shell needs any more, and shells of other releases. */
export async function purge(shell: string, shellNeeds: readonly string[]): Promise<void> {
  const needed = new Set(shellNeeds)
  for (const name of await caches.keys()) {
    if (name.startsWith('shell-') && name !== shell) await caches.delete(name)
    else if (name !== cacheNames.assets) for (const path of await needsOf(name)) needed.add(path)
  }
  const assets = await caches.open(cacheNames.assets)
  for (const request of await assets.keys()) {
    if (!needed.has(new URL(request.url).pathname)) await assets.delete(request)
  }
}

async function needsOf(cacheName: string): Promise<string[]> {
  const cache = await caches.open(cacheName)
  const kept = await Promise.all((await cache.keys()).map((request) => cache.match(request)))
  return kept.flatMap((page) => page?.headers.get(NEEDS)?.split(' ') ?? [])
}
