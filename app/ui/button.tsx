import type { ComponentProps, ReactNode } from 'react'
import { Link, useNavigate } from 'react-router'

/** Joins class names, leaving out what is not there. */
export const classes = (...names: (string | false | null | undefined)[]) => names.filter(Boolean).join(' ')

/** primary: the one thing to do here; secondary: what else can be done; quiet: in passing, without a frame. */
export type ButtonLook = 'primary' | 'secondary' | 'quiet'

const shared =
  'inline-flex min-h-11 items-center justify-center gap-2 rounded-full px-5 py-2 text-base font-semibold ' +
  'no-underline transition-colors duration-200 disabled:cursor-not-allowed disabled:opacity-60'

const looks: Readonly<Record<ButtonLook, string>> = {
  primary:
    'border border-accent bg-accent text-on-accent enabled:hover:bg-warning enabled:hover:border-warning ' +
    '[a&]:hover:bg-warning [a&]:hover:border-warning',
  secondary:
    'border border-edge text-ink enabled:hover:border-accent enabled:hover:text-accent ' +
    '[a&]:hover:border-accent [a&]:hover:text-accent',
  quiet: 'text-accent underline-offset-4 enabled:hover:underline [a&]:hover:underline',
}

/** The classes of a button's look, for what is neither a button nor a link of the router (a summary, a mailto link). */
export const buttonClass = (look: ButtonLook = 'primary', className?: string) =>
  classes(shared, looks[look], className)

/** A button; unless told otherwise it submits nothing. */
export function Button({ look, className, ...rest }: ComponentProps<'button'> & { look?: ButtonLook }) {
  return <button type="button" {...rest} className={buttonClass(look, className)} />
}

/** A link that looks like a button. */
export function ButtonLink({
  look,
  className,
  ...rest
}: ComponentProps<typeof Link> & { look?: ButtonLook }) {
  return <Link {...rest} className={buttonClass(look, className)} />
}

/** Goes where the reader came from; to `fallback` when this page was the first in its tab. Needs JavaScript. */
export function BackButton({
  fallback,
  look = 'secondary',
  children = 'Go Back',
}: {
  fallback: string
  look?: ButtonLook
  children?: ReactNode
}) {
  const navigate = useNavigate()
  const goBack = () => (window.history.length > 1 ? navigate(-1) : navigate(fallback))
  return (
    <Button look={look} onClick={goBack} className="noscript:hidden">
      {children}
    </Button>
  )
}

/** Whether a click follows a link in this tab, and does not open another one or save it. */
export const isPlainClick = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  button === 0 && !(metaKey || ctrlKey || shiftKey || altKey)
