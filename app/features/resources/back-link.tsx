import { ArrowLeft } from 'lucide'
import type { MouseEvent } from 'react'
import { Link, useNavigate } from 'react-router'
import { Icon } from '#app/ui/icon.tsx'

/**
 * Leads to the listing. For a reader who came from inside the site it goes back in history instead, to the listing as
 * they left it; React Router counts its own entries in `history.state.idx`.
 */
export function BackLink({ to }: { to: string }) {
  const navigate = useNavigate()
  const goBack = (event: MouseEvent) => {
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    if (!isPlain || !(window.history.state?.idx > 0)) return
    event.preventDefault()
    navigate(-1)
  }
  return (
    <Link
      to={to}
      onClick={goBack}
      className="-ms-1 inline-flex min-h-11 items-center gap-2 pe-3 font-semibold text-muted no-underline hover:text-accent print:hidden"
    >
      <Icon icon={ArrowLeft} className="size-5" />
      Back
    </Link>
  )
}
