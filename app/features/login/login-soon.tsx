import { useSettings } from '#app/session/use-settings.ts'
import { ButtonLink, buttonClass } from '#app/ui/button.tsx'
import { Notice, Page } from '#app/ui/page.tsx'

const subject = encodeURIComponent('Early access to Walking Together')

/** The login page until accounts open: says so, and how to ask for early access. */
export function LoginSoon() {
  const { contactEmail } = useSettings()
  return (
    <Page>
      <Notice title="Member access is coming soon">
        <p>
          Accounts are not open to everyone yet. If you would like to be among the first, write us a line, and
          we will let you in as places open.
        </p>
        <div className="flex flex-wrap gap-3">
          <a href={`mailto:${contactEmail}?subject=${subject}`} className={buttonClass()}>
            Request early access
          </a>
          <ButtonLink to="/resources" look="secondary">
            Explore Resources
          </ButtonLink>
        </div>
        <p className="text-base">
          Or write to{' '}
          <a href={`mailto:${contactEmail}`} className="text-accent underline underline-offset-4">
            {contactEmail}
          </a>
          . Reading and listening need no account.
        </p>
      </Notice>
    </Page>
  )
}
