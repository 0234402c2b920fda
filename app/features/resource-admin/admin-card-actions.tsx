import { Pencil } from 'lucide'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { classes } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'

interface AdminCardActionsProps {
  resource: { id: string; title: string }
  /** Says beside the pencil what it does. */
  withWords?: boolean | undefined
  /** What else admins can do with it. */
  children?: ReactNode
}

/** What admins can do with a resource (specification, section 2): to its form, and what else there is. */
export const AdminCardActions = ({ resource: { id, title }, withWords, children }: AdminCardActionsProps) => (
  <>
    <Link
      to={`/resources/edit/${id}`}
      aria-label={`Edit ${title}`}
      title="Edit"
      className={classes(
        'inline-flex min-h-11 min-w-11 items-center justify-center gap-2 rounded-full border bg-surface text-ink no-underline transition-colors hover:border-accent hover:text-accent',
        withWords ? 'border-edge font-semibold sm:px-5' : 'border-line',
      )}
    >
      <Icon icon={Pencil} className="size-5" />
      {withWords && <span className="max-sm:hidden">Edit</span>}
    </Link>
    {children}
  </>
)
