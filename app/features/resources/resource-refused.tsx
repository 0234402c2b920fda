import { BackButton, ButtonLink } from '#app/ui/button.tsx'
import { Banner, Notice } from '#app/ui/page.tsx'

/** For visitors, a private resource and one that does not exist look the same: nobody learns which it is. */
export const PrivateResource = () => (
  <Notice title="For members">
    <p>This resource is private and requires authentication to view.</p>
    <p className="flex flex-wrap gap-3">
      <ButtonLink to="/login">Log In</ButtonLink>
      <BackButton fallback="/resources" />
    </p>
  </Notice>
)

/** For members, who may see everything: there is no such resource. */
export const ResourceMissing = () => (
  <>
    <h1 className="sr-only">Resource</h1>
    <Banner tone="error">
      <p>Resource not found.</p>
      <BackButton fallback="/resources" />
    </Banner>
  </>
)

/** The library did not answer. */
export const ResourceFailed = () => (
  <>
    <h1 className="sr-only">Resource</h1>
    <Banner tone="error">
      <p>Failed to load resource.</p>
      <BackButton fallback="/resources" />
    </Banner>
  </>
)
