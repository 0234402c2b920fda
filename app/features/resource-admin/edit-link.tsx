import { Pencil } from 'lucide-react'
import { Link } from 'react-router'
import { classes } from '#app/ui/classes.ts'

export interface EditLinkProps {
  resource: { id: string; title: string }
  /** Says beside the pencil what it does. */
  withWords?: boolean
}

/** To the form of a resource. */
export const EditLink = ({ resource: { id, title }, withWords = false }: EditLinkProps) => (
  <Link
    to={`/resources/edit/${id}`}
    aria-label={`Edit ${title}`}
    title="Edit"
    className={classes(
      'inline-flex min-h-11 min-w-11 items-center justify-center gap-2 rounded-full border bg-surface text-ink no-underline transition-colors hover:border-accent hover:text-accent',
      withWords ? 'border-edge font-semibold sm:px-5' : 'border-line',
    )}
  >
    <Pencil aria-hidden className="size-5" />
    {withWords && <span className="max-sm:hidden">Edit</span>}
  </Link>
)
