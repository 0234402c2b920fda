import figtree from '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2?url'
import fraunces from '@fontsource-variable/fraunces/files/fraunces-latin-wght-normal.woff2?url'
import type { ReactNode } from 'react'
import { href, Links, Meta, Outlet, Scripts, ScrollRestoration } from 'react-router'
import type { Route } from './+types/root'
import './app.css'
import { ErrorPage, errorMeta } from './features/errors/error-page.tsx'
import { AccountCorner, SessionStarter } from './features/layout/account-corner.tsx'
import { SkipLink, useFocusOnNavigation } from './features/layout/navigation.tsx'
import { PrefetchData } from './features/layout/prefetch-data.tsx'
import { SiteFooter } from './features/layout/site-footer.tsx'
import { SiteHeader } from './features/layout/site-header.tsx'
import { BeforeFirstPaint } from './features/layout/theme.tsx'
import { KeepReading } from './features/offline/keep-reading.tsx'
import { servicesContext } from './session/site.ts'
import { Toasts } from './ui/toast.tsx'

const font = { rel: 'preload', as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' } as const

export const links: Route.LinksFunction = () => [
  { ...font, href: fraunces },
  { ...font, href: figtree },
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
  { rel: 'icon', href: '/favicon.ico', sizes: '32x32' },
  { rel: 'apple-touch-icon', href: '/apple-touch-icon.png' },
  { rel: 'manifest', href: '/site.webmanifest' },
  { rel: 'alternate', type: 'application/rss+xml', title: 'New readings', href: href('/feed.xml') },
  { rel: 'alternate', type: 'application/rss+xml', title: 'Podcast', href: href('/podcast.xml') },
]

export const loader = ({ context }: Route.LoaderArgs) => context.get(servicesContext).settings

/** Settings never change while a page is open. */
export const shouldRevalidate = () => false

/** Only for pages that failed: every other page has its own. */
export const meta: Route.MetaFunction = ({ error }) => errorMeta(error)

/** What surrounds every page and every error. Pages render into its <main> and bring one <h1>. */
export function Layout({ children }: { children: ReactNode }) {
  useFocusOnNavigation()
  return (
    // The lines before the first paint put data attributes on <html> that the server could not know.
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content="#ea580c" />
        <BeforeFirstPaint />
        <Meta />
        <Links />
      </head>
      <body className="flex min-h-dvh flex-col">
        <SkipLink />
        <SiteHeader account={<AccountCorner />} />
        <main id="content" tabIndex={-1} className="grow">
          {children}
        </main>
        <SiteFooter />
        <Toasts />
        <SessionStarter />
        <PrefetchData />
        <KeepReading />
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  )
}

export default function Root() {
  return <Outlet />
}

/** Whatever no page caught: inside the layout, in plain words, never with a stack. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <ErrorPage error={error} />
}
