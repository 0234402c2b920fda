import { useEffect, useState } from 'react'
import { href } from 'react-router'
import { storedMemberId } from '#app/session/client/offline-cache.ts'
import { Button, buttonClass } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/page.tsx'
import { cacheNames } from '#app/worker/caches.ts'
import { memberCacheName } from '#app/worker/messages.ts'

const goBack = () => location.replace(wantedAddress(location.href))

/** What shows where there is no network and nothing kept: what can be read all the same, and the way back. */
export function OfflinePage() {
  const [pages, setPages] = useState<KeptPage[]>([])
  useEffect(() => {
    keptPages().then(setPages, () => undefined)
    window.addEventListener('online', goBack)
    // The network may have come back before these lines ran. Asked past the worker, so that it cannot lead back here.
    const left = new AbortController()
    if (navigator.onLine && location.search)
      fetch(wantedAddress(location.href), { method: 'HEAD', signal: left.signal }).then(
        goBack,
        () => undefined,
      )
    return () => {
      left.abort()
      window.removeEventListener('online', goBack)
    }
  }, [])
  return (
    <>
      <Notice title="You are offline">
        <p>
          This page is not on your device. As soon as there is a network again, it opens by itself. Nothing is
          lost.
        </p>
        <p className="flex flex-wrap gap-3">
          <Button onClick={goBack}>Try again</Button>
          <a href={href('/')} className={buttonClass('secondary')}>
            Go Home
          </a>
        </p>
      </Notice>
      {pages.length > 0 && <Readable pages={pages} />}
    </>
  )
}

const Readable = ({ pages }: { pages: readonly KeptPage[] }) => (
  <section aria-labelledby="readable" className="mt-14 border-t border-line pt-8">
    <h2 id="readable" className="text-2xl">
      What you can read now
    </h2>
    <ul className="mt-4">
      {pages.map(({ address, title }) => (
        <li key={address}>
          <a
            href={address}
            className="inline-flex min-h-11 items-center text-accent underline underline-offset-4"
          >
            {title}
          </a>
        </li>
      ))}
    </ul>
  </section>
)

interface KeptPage {
  address: string
  title: string
}

/** The resources that open on this device without a network, what was read last first. */
async function keptPages(): Promise<KeptPage[]> {
  const id = storedMemberId()
  const names = [...(id ? [memberCacheName(id)] : []), cacheNames.pages]
  const found = (await Promise.all(names.map(pagesOn))).flat()
  return [...new Map(found.map((page) => [page.address, page])).values()]
}

async function pagesOn(cacheName: string): Promise<KeptPage[]> {
  if (!(await caches.has(cacheName))) return []
  const cache = await caches.open(cacheName)
  const pages = await Promise.all(
    (await cache.keys()).toReversed().map((request) =>
      cache.match(request).then((answer) => ({
        address: new URL(request.url).pathname,
        title: decodeURIComponent(answer?.headers.get('x-kept-title') ?? ''),
      })),
    ),
  )
  return pages.filter(({ address, title }) => title && address.startsWith(href('/resource/:id', { id: '' })))
}

/** Where the reader wanted to go: a page of ours, whatever the address says. */
export function wantedAddress(here: string): string {
  const { origin, searchParams } = new URL(here)
  const from = searchParams.get('from') ?? href('/')
  const wanted = URL.canParse(from, origin) ? new URL(from, origin) : null
  const isOurs = wanted?.origin === origin && wanted.pathname !== href('/offline')
  return isOurs ? wanted.pathname + wanted.search : '/'
}
