import { href, isRouteErrorResponse, Link, type MetaDescriptor } from 'react-router'
import { siteName, useSettings } from '#app/session/site.ts'
import { BackButton, Button, ButtonLink } from '#app/ui/button.tsx'
import { Notice, Page } from '#app/ui/page.tsx'
import { categoryLabels } from '#domain/resource.ts'

/** The page that fits what a route threw. */
export function ErrorPage({ error }: { error: unknown }) {
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFoundPage />
  return <ProblemPage unavailable={isUnavailable(error)} />
}

/** Chrome, Firefox and Safari each have words of their own for a connection that failed. */
const connectionFailed = /failed to fetch|networkerror|load failed/i

const isUnavailable = (error: unknown) =>
  isRouteErrorResponse(error)
    ? error.status === 503
    : error instanceof TypeError && connectionFailed.test(error.message)

/**
 * What a page shows that failed for a reason of ours.
 * @param unavailable the library cannot be reached for the moment, so trying again makes sense
 */
function ProblemPage({ unavailable }: { unavailable: boolean }) {
  const { contactEmail } = useSettings()
  return (
    <Page>
      <Notice
        title={unavailable ? "We can't reach the library right now" : 'Something went wrong on our side'}
      >
        <p>
          {unavailable
            ? 'This is usually over within a minute. Nothing that you did caused it.'
            : 'We are sorry. Trying again often helps.'}{' '}
          If it stays so, please tell us at{' '}
          <a href={`mailto:${contactEmail}`} className="text-accent underline underline-offset-4">
            {contactEmail}
          </a>
          .
        </p>
        <div className="flex flex-wrap gap-3">
          <Button onClick={() => window.location.reload()} className="noscript:hidden">
            Retry
          </Button>
          <ButtonLink to={href('/')} look="secondary">
            Go Home
          </ButtonLink>
        </div>
      </Notice>
    </Page>
  )
}

/** The head of a page that failed: a title that says so, and nothing to remember for search engines. */
export function errorMeta(error: unknown): MetaDescriptor[] {
  if (!error) return []
  const missing = isRouteErrorResponse(error) && error.status === 404
  return [
    { title: `${missing ? 'Page not found' : 'Something went wrong'} · ${siteName}` },
    { name: 'robots', content: 'noindex' },
  ]
}

// The order of the specification, section 2, "404 page".
const popular = [
  ...(['reading', 'webinar', 'podcast', 'community'] as const).map((category) => ({
    to: href('/resources/:category?', { category }),
    label: categoryLabels[category],
  })),
  { to: href('/about'), label: 'About us' },
]

/** What an address shows that leads nowhere. */
export function NotFoundPage() {
  return (
    <Page>
      <p
        className="font-serif text-[clamp(6rem,4rem+14vw,14rem)] leading-none font-semibold tracking-tighter text-brand"
        aria-hidden="true"
      >
        404
      </p>
      <h1 className="mt-4 text-title">This page wandered off</h1>
      <p className="mt-4 max-w-xl text-lg text-muted">
        The address may have a typing error, or what was here has moved. It happens to the best of us, usually
        on the way out of the door.
      </p>
      <div className="mt-8 flex flex-wrap gap-3">
        <ButtonLink to={href('/')}>Go Home</ButtonLink>
        <BackButton fallback={href('/')} />
        <ButtonLink to={href('/resources/:category?')} look="secondary">
          Browse Resources
        </ButtonLink>
      </div>
      <nav aria-labelledby="popular" className="mt-14 border-t border-line pt-6">
        <h2 id="popular" className="font-sans text-base font-semibold tracking-normal">
          Popular pages
        </h2>
        <ul className="mt-2 flex flex-wrap gap-x-7">
          {popular.map(({ to, label }) => (
            <li key={to}>
              <Link
                to={to}
                className="inline-flex min-h-11 items-center text-accent underline underline-offset-4"
              >
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </Page>
  )
}
