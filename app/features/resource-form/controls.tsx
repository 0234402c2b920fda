import type { ComponentProps, ReactNode } from 'react'
import { FieldFrame, type FieldProps, fieldClass } from '#app/ui/forms/field.tsx'
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
  children: (tied: FieldProps & { name: FieldName }) => ReactNode
}

/** A field of the form, tied to its label, its problem and its hint. */
export const Control = ({ name, problem, children, ...frame }: ControlProps) => (
  <FieldFrame {...frame} id={`resource-${name}`} error={problem}>
    {(tied) => children({ ...tied, name })}
  </FieldFrame>
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
          className={fieldClass('h-12')}
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
          className={fieldClass('block py-2.5 field-sizing-content max-h-[70vh] min-h-24')}
        />
      )}
    </Control>
  )
}
