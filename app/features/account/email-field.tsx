import type { ComponentProps } from 'react'
import { Field } from '#app/ui/field.tsx'

/** An e-mail address, as phones and password managers know it. */
export const EmailField = (props: Omit<Partial<ComponentProps<typeof Field>>, 'type'>) => (
  <Field
    label="E-mail"
    name="email"
    type="email"
    inputMode="email"
    autoComplete="username"
    autoCapitalize="none"
    spellCheck={false}
    maxLength={254}
    required
    {...props}
  />
)
