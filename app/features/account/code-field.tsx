import type { ComponentProps } from 'react'
import { Field } from '#app/ui/field.tsx'

/** A code that an app shows, or that came by mail or text message: phones offer to fill it in. */
export const CodeField = (props: Omit<ComponentProps<typeof Field>, 'name'>) => (
  <Field
    name="code"
    inputMode="numeric"
    autoComplete="one-time-code"
    autoCapitalize="none"
    spellCheck={false}
    maxLength={24}
    required
    className="max-w-64 tracking-[0.2em] tabular-nums"
    {...props}
  />
)

/** The code as it was typed or pasted, without blanks and dashes. */
export const readCode = (fields: FormData): string =>
  String(fields.get('code') ?? '').replaceAll(/[\s\u2010-\u2015-]/g, '')

/** Errors: with the words of the specification (section 5) where there is none. */
export function mustReadCode(fields: FormData): string {
  const code = readCode(fields)
  if (!code) throw { status: 400, message: 'Please fill in all fields' }
  return code
}
