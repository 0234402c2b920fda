import type { ComponentProps, ReactNode } from 'react'
import { classes } from './classes.ts'

const inputClass =
  'h-12 w-full rounded-lg border border-edge bg-surface px-4 text-base aria-invalid:border-warning'

interface FieldProps extends ComponentProps<'input'> {
  label: string
  name: string
  /** What stands below the field, for example what it is for. */
  hint?: ReactNode
  /** What stands at the end of the field, for example a button. */
  end?: ReactNode
}

/** A field to type into, with its label above it. */
export function Field({ label, hint, end, className, id, ...input }: FieldProps) {
  const own = id ?? `field-${input.name}`
  return (
    <div>
      <label htmlFor={own} className="font-semibold">
        {label}
      </label>
      <div className="relative mt-1.5">
        <input
          id={own}
          aria-describedby={hint ? `${own}-hint` : undefined}
          {...input}
          className={classes(inputClass, className)}
        />
        {end && <div className="absolute inset-y-0 end-0 flex items-center pe-0.5">{end}</div>}
      </div>
      {hint && (
        <p id={`${own}-hint`} className="mt-1.5 text-sm text-muted">
          {hint}
        </p>
      )}
    </div>
  )
}
