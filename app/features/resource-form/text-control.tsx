import type { ComponentProps, ReactNode } from 'react'
import type { ResourceFields } from '#domain/resource-form/fields.ts'
import { Control, controlClass } from './control.tsx'
import type { FieldsApi } from './use-fields.ts'

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
