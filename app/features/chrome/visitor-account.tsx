import { ButtonLink } from '#app/ui/button.tsx'

/** The header's account corner for somebody who has not signed in. */
export function VisitorAccount() {
  return (
    <ButtonLink to="/login" look="secondary">
      Login
    </ButtonLink>
  )
}
