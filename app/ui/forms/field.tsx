import { type ComponentProps, type ReactNode, type RefObject, useEffect } from 'react'
import { classes } from '../button.tsx'

/** What ties a control to its label, its hint and its error. */
export interface FieldProps {
  id: string
  'aria-describedby': string
  'aria-invalid': boolean
}

interface FieldFrameProps {
  label: string
  id: string
  /** What stands below the control, for example what it is for. */
  hint?: ReactNode
  /** What is wrong with it, said as soon as it is known. */
  error?: string | undefined
  className?: string | undefined
  children: (props: FieldProps) => ReactNode
}

/** Any control with its label above, its error and its hint below, all told to screen readers. */
export function FieldFrame({ label, id, hint, error, className, children }: FieldFrameProps) {
  const described = { 'aria-describedby': `${id}-error ${id}-hint`, 'aria-invalid': Boolean(error) }
  return (
    <div className={className}>
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      <div className="relative mt-1.5">{children({ id, ...described })}</div>
      {/* Always there, so that what comes into it is said. */}
      <p
        id={`${id}-error`}
        aria-live="polite"
        className="mt-1.5 text-sm font-semibold text-warning empty:hidden"
      >
        {error}
      </p>
      <p id={`${id}-hint`} className="mt-1.5 text-sm text-muted empty:hidden">
        {hint}
      </p>
    </div>
  )
}

/** The look of whatever can be typed into or chosen from. */
export const fieldClass = (more?: string) =>
  classes(
    'w-full rounded-lg border border-edge bg-surface px-4 text-base aria-invalid:border-warning disabled:bg-sunken disabled:text-muted',
    more,
  )

interface InputProps extends ComponentProps<'input'> {
  label: string
  name: string
  hint?: ReactNode
  error?: string | undefined
  /** What stands at the end of the field, for example a button. */
  end?: ReactNode
}

/** A field for one line of text. `aria-invalid` without an `error`: what is wrong is said elsewhere, for example above the form. */
export function Field({ label, hint, error, end, className, id, ...input }: InputProps) {
  return (
    <FieldFrame label={label} id={id ?? `field-${input.name}`} hint={hint} error={error}>
      {(tied) => (
        <>
          <input {...tied} {...input} className={fieldClass(classes('h-12', className))} />
          {end && <div className="absolute inset-y-0 end-0 flex items-center pe-0.5">{end}</div>}
        </>
      )}
    </FieldFrame>
  )
}

/** Puts the focus on the first field that is wrong, in the order of the page. Returns whether there is one. */
function focusFirstError(form: HTMLElement | null): boolean {
  const field = form?.querySelector<HTMLElement>('[aria-invalid=true]')
  field?.focus()
  return Boolean(field)
}

/**
 * Does that after each answer that tells of errors.
 * @param answer a new object for each answer, for example what `useActionData` gives
 */
export function useFocusOnError(form: RefObject<HTMLElement | null>, answer: unknown): void {
  useEffect(() => {
    if (answer) focusFirstError(form.current)
  }, [form, answer])
}
