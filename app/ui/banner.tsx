import type { ReactNode } from 'react'
import { classes } from './classes.ts'

/** error: something failed, said at once. danger: the same in red, for admins. success: something worked. note: good to know, not announced. */
export type BannerTone = 'error' | 'danger' | 'success' | 'note'

const looks: Readonly<Record<BannerTone, string>> = {
  error: 'border-brand bg-tint text-warning',
  danger: 'border-danger bg-danger-tint text-danger',
  success: 'border-success bg-success-tint text-success',
  note: 'border-line bg-sunken text-ink',
}
const roles = { error: 'alert', danger: 'alert', success: 'status', note: undefined } as const

/**
 * A message across the page: orange for errors, red where an admin's work failed, green for success (specification,
 * section 8).
 * Screen readers announce errors and successes when they appear.
 */
export function Banner({
  tone,
  className,
  children,
}: {
  tone: BannerTone
  className?: string
  children: ReactNode
}) {
  return (
    <div
      role={roles[tone]}
      className={classes(
        'flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-lg border border-s-4 px-5 py-3.5',
        looks[tone],
        className,
      )}
    >
      {children}
    </div>
  )
}
