import { Banner } from '#app/ui/banner.tsx'
import { Button, buttonClass } from '#app/ui/button.tsx'
import type { ResourceFormApi } from './use-resource-form.ts'

interface FormTroubleProps {
  form: ResourceFormApi
  /** Nobody is logged in any more. */
  isLoggedOut: boolean
}

/** Why nothing was saved, in red (specification, section 8), and the way on. What was typed is still there. */
export function FormTrouble({ form, isLoggedOut }: FormTroubleProps) {
  const { trouble } = form
  if (isLoggedOut) return <LogInAgain />
  if (trouble?.state === 'signed-out') return <LogInAgain />
  if (trouble?.state === 'failed') return <Banner tone="danger">{trouble.message}</Banner>
  if (trouble?.state !== 'deleted') return null
  return (
    <Banner tone="error">
      <p>This resource was deleted while you were editing it. What you typed is still here.</p>
      <Button look="secondary" onClick={form.saveAsNew}>
        Save as a new resource
      </Button>
    </Banner>
  )
}

/** In another tab, so that the form stays as it is; the tabs share the session. */
const LogInAgain = () => (
  <Banner tone="error">
    <p>Your session has ended. Log in again to save; what you typed is kept in this browser.</p>
    <a href="/login" target="_blank" rel="noreferrer" className={buttonClass('secondary')}>
      Log in (opens a new tab)
    </a>
  </Banner>
)
