import type { ComponentProps, ReactNode } from 'react'
import { classes } from '#app/ui/button.tsx'
import type { FieldName, ResourceFields } from '#domain/resource-form/fields.ts'
import type { FieldsApi } from './use-resource-form.ts'

interface ControlProps {
  name: FieldName
  label: string
  hint?: ReactNode
  /** What is wrong with it. */
  problem?: string | undefined
  className?: string
  /** Gets what ties the control to its label, its hint and its problem. */
  children: (tied: {
    id: string
    name: FieldName
    'aria-describedby': string
    'aria-invalid': boolean
  }) => ReactNode
}

/** A field of the form: its label above, its problem and its hint below, all told to screen readers. */
export function Control({ name, label, hint, problem, className, children }: ControlProps) {
  const id = `resource-${name}`
  return (
    <div className={className}>
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      <div className="mt-1.5">
        {children({
          id,
          name,
          'aria-describedby': `${id}-problem ${id}-hint`,
          'aria-invalid': problem !== undefined,
        })}
      </div>
      {/* Always there, so that what comes into it is said. */}
      <p
        id={`${id}-problem`}
        aria-live="polite"
        className="mt-1.5 text-sm font-semibold text-warning empty:hidden"
      >
        {problem}
      </p>
      <p id={`${id}-hint`} className="mt-1.5 text-sm text-muted empty:hidden">
        {hint}
      </p>
    </div>
  )
}

/** The look of whatever can be typed into or chosen from. */
export const controlClass = (more?: string) =>
  classes(
    'w-full rounded-lg border border-edge bg-surface px-4 py-2.5 text-base aria-invalid:border-warning disabled:bg-sunken disabled:text-muted',
    more,
  )

interface CheckProps extends ComponentProps<'input'> {
  label: string
  hint: string
}

/** Something that is on or off, with what that means. */
export const Check = ({ label, hint, ...input }: CheckProps) => (
  <div className="flex gap-3">
    <input
      {...input}
      type="checkbox"
      id={`resource-${input.name}`}
      aria-describedby={`resource-${input.name}-hint`}
      className="mt-1 size-5 shrink-0"
    />
    <div>
      <label htmlFor={`resource-${input.name}`} className="font-semibold">
        {label}
      </label>
      <p id={`resource-${input.name}-hint`} className="text-sm text-muted">
        {hint}
      </p>
    </div>
  </div>
)

type TextName = {
  [Name in keyof ResourceFields]: string extends ResourceFields[Name] ? Name : never
}[keyof ResourceFields]

interface TextProps {
  form: FieldsApi
  name: TextName
  label: string
  hint?: ReactNode
}

type Own = 'form' | 'name' | 'value' | 'onChange' | 'onBlur'

/** One line of text. */
export function TextControl({
  form,
  name,
  label,
  hint,
  className,
  ...input
}: TextProps & Omit<ComponentProps<'input'>, Own>) {
  return (
    <Control name={name} label={label} hint={hint} problem={form.problems[name]} className={className ?? ''}>
      {(tied) => (
        <input
          {...input}
          {...tied}
          value={form.fields[name]}
          onChange={(event) => form.set({ [name]: event.target.value })}
          onBlur={() => form.leave(name)}
          className={controlClass('h-12')}
        />
      )}
    </Control>
  )
}

/** Text that grows with what is in it. */
export function LongTextControl({
  form,
  name,
  label,
  hint,
  ...area
}: TextProps & Omit<ComponentProps<'textarea'>, Own>) {
  return (
    <Control name={name} label={label} hint={hint} problem={form.problems[name]}>
      {(tied) => (
        <textarea
          {...area}
          {...tied}
          value={form.fields[name]}
          onChange={(event) => form.set({ [name]: event.target.value })}
          onBlur={() => form.leave(name)}
          className={controlClass('block field-sizing-content max-h-[70vh] min-h-24')}
        />
      )}
    </Control>
  )
}
