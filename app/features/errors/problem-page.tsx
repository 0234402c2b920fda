import { useSettings } from '#app/session/site.ts'
import { Button, ButtonLink } from '#app/ui/button.tsx'
import { Notice, Page } from '#app/ui/page.tsx'

/**
 * What a page shows that failed for a reason of ours.
 * @param unavailable the library cannot be reached for the moment, so trying again makes sense
 */
export function ProblemPage({ unavailable }: { unavailable: boolean }) {
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
          <ButtonLink to="/" look="secondary">
            Go Home
          </ButtonLink>
        </div>
      </Notice>
    </Page>
  )
}
