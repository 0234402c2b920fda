import { useEffect, useState } from 'react'
import { href } from 'react-router'
import { Button, buttonClass } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/page.tsx'
import { type KeptPage, keptPages, wantedAddress } from './kept-pages.ts'

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
