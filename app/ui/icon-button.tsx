import type { ComponentProps, ReactNode } from 'react'
import { classes } from './classes.ts'

type IconButtonProps = Omit<ComponentProps<'button'>, 'children' | 'aria-label' | 'title'> & {
  /** What it does: its name for a screen reader, and the hint under the pointer. */
  label: string
  /** An icon that is hidden from screen readers (lucide's are). */
  children: ReactNode
}

/** A round button of 44 px that shows only an icon. */
export function IconButton({ label, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      title={label}
      className={classes(
        'inline-flex size-11 shrink-0 items-center justify-center rounded-full text-ink transition-colors duration-200',
        'enabled:hover:bg-tint enabled:hover:text-accent aria-pressed:bg-tint aria-pressed:text-accent',
        'disabled:cursor-not-allowed disabled:opacity-60',
        className,
      )}
    />
  )
}
