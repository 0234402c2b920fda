import { Eye, EyeOff } from 'lucide'
import { type ComponentProps, useEffect, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { Field } from '#app/ui/forms/field.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { safeSessionStorage } from '#app/ui/store.ts'

type FieldProps = ComponentProps<typeof Field>

/** Said about what is missing (specification, section 5). */
const FILL_IN = 'Please fill in all fields'

/** A text that must be there and may be so long. Spaces around it do not count. */
export const shortText = (missing: string, longest: number, tooLong = missing) =>
  z.string().check(z.trim(), z.minLength(1, missing), z.maxLength(longest, tooLong))

/** What the markup of a field has to know of its rule. */
export function limitOf(text: z.ZodMiniString): { maxLength?: number } {
  for (const { _zod } of text.def.checks ?? []) {
    const { def } = _zod
    if ('maximum' in def && typeof def.maximum === 'number') return { maxLength: def.maximum }
  }
  return {}
}

/** A checkbox. */
export const ticked = z.pipe(
  z.string(),
  z.transform((sent: string) => sent !== ''),
)

export const emailSchema = shortText(FILL_IN, 254)

/** An e-mail address, as phones and password managers know it. */
export const EmailField = (props: Omit<Partial<FieldProps>, 'type'>) => (
  <Field
    label="E-mail"
    name="email"
    type="email"
    inputMode="email"
    autoComplete="username"
    autoCapitalize="none"
    spellCheck={false}
    required
    {...limitOf(emailSchema)}
    {...props}
  />
)

/** Every sign of a password counts, spaces too; how good it has to be the service says. */
export const passwordSchema = z.string().check(z.minLength(1, FILL_IN))

/** A password, hidden unless its writer wants to see it. Pasting works, and so do password managers. */
export function PasswordField(props: Partial<FieldProps> & { label: string }) {
  const [shown, setShown] = useState(false)
  return (
    <Field
      name="password"
      {...props}
      type={shown ? 'text' : 'password'}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      className="pe-13"
      end={
        <button
          type="button"
          aria-label="Show password"
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
          className="grid size-11 cursor-pointer place-items-center rounded-full text-muted hover:text-accent noscript:hidden"
        >
          <Icon icon={shown ? EyeOff : Eye} className="size-5" />
        </button>
      }
    />
  )
}

/** A code as it was typed or pasted, without blanks and dashes. */
export const codeSchema = z.string().check(
  z.overwrite((code) => code.replaceAll(/[\s\u2010-\u2015-]/g, '')),
  z.minLength(1, FILL_IN),
  z.maxLength(24, 'That code did not work. Please check it and try again.'),
)

/** A code that an app shows, or that came by mail or text message: phones offer to fill it in. */
export const CodeField = (props: Omit<FieldProps, 'name'>) => (
  <Field
    name="code"
    inputMode="numeric"
    autoComplete="one-time-code"
    autoCapitalize="none"
    spellCheck={false}
    required
    {...limitOf(codeSchema)}
    className="max-w-64 tracking-[0.2em] tabular-nums"
    {...props}
  />
)

/** A password is never among them. */
const rememberedTypes: ReadonlySet<string> = new Set(['text', 'email', 'url', 'tel'])
const storageKey = (name: string) => `typed:${name}`

/**
 * Inside a form: its text fields keep what was typed into them, passwords apart, for as long as this tab lives, over a
 * reload, another page and a failure. Forms of one name share what they keep, field by field.
 */
export function RememberTyped({ name }: { name: string }) {
  const place = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const form = place.current?.form
    if (!form) return
    const inputs = () =>
      [...form.elements].filter(
        (field): field is HTMLInputElement =>
          field instanceof HTMLInputElement && rememberedTypes.has(field.type),
      )
    const before = readTyped(name)
    for (const input of inputs()) {
      const typed = before[input.name]
      // What the browser has filled in meanwhile stays.
      if (typeof typed === 'string' && input.value === input.defaultValue) input.value = typed
    }
    const remember = () => {
      const typed = inputs().map((input) => [input.name, input.value])
      const text = JSON.stringify({ ...readTyped(name), ...Object.fromEntries(typed) })
      safeSessionStorage.set(storageKey(name), text)
    }
    const ended = new AbortController()
    form.addEventListener('input', remember, ended)
    form.addEventListener('reset', () => forgetTyped(name), ended)
    return () => ended.abort()
  }, [name])
  return <input ref={place} type="hidden" disabled />
}

/** It was sent: the next time the form begins as usual. */
export const forgetTyped = (name: string): void => safeSessionStorage.remove(storageKey(name))

function readTyped(name: string): Record<string, unknown> {
  try {
    return JSON.parse(safeSessionStorage.get(storageKey(name)) ?? '{}') ?? {}
  } catch {
    return {}
  }
}
