import { href, isRouteErrorResponse, type MetaDescriptor } from 'react-router'
import { siteName, useSettings } from '#app/session/site.ts'
import { Button, ButtonLink } from '#app/ui/button.tsx'
import { Notice, Page } from '#app/ui/page.tsx'
import { NotFoundPage } from './not-found-page.tsx'

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
