import { Pencil, Plus } from 'lucide'
import type { ReactNode } from 'react'
import { href, Link } from 'react-router'
import { ButtonLink, classes } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { DeleteButton, type DeleteButtonProps } from './delete-button.tsx'

/** Edit and Delete. */
export const AdminControls = (props: DeleteButtonProps) => (
  <AdminCardActions resource={props.resource} withWords={props.withWords}>
    <DeleteButton {...props} />
  </AdminCardActions>
)

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
      to={href('/resources/edit/:id', { id })}
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

export interface AddLinkProps {
  /** The listing's, if it has one: the form begins with it where such a resource can be made. */
  category: string | undefined
}

/** To the form of a new resource. On phones it floats, so that nothing moves when it comes. */
export const AddLink = ({ category }: AddLinkProps) => (
  <ButtonLink
    to={category ? `${href('/resources/new')}?category=${category}` : href('/resources/new')}
    className="max-md:fixed max-md:end-4 max-md:bottom-4 max-md:z-20 max-md:shadow-lg"
  >
    <Icon icon={Plus} className="size-5" />
    Add
  </ButtonLink>
)
