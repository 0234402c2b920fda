import { useEffect, useRef } from 'react'

/** A password is never among them. */
const keptTypes: ReadonlySet<string> = new Set(['text', 'email', 'url', 'tel'])
const storageKey = (name: string) => `typed:${name}`

/**
 * Inside a form: its text fields keep what was typed into them, passwords apart, for as long as this tab lives, over a
 * reload, another page and a failure. Forms of one name share what they keep, field by field.
 */
export function TypedFields({ name }: { name: string }) {
  const place = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const form = place.current?.form
    if (!form) return
    const inputs = () =>
      [...form.elements].filter(
        (field): field is HTMLInputElement => field instanceof HTMLInputElement && keptTypes.has(field.type),
      )
    const kept = readTyped(name)
    for (const input of inputs()) {
      const typed = kept[input.name]
      // What the browser has filled in meanwhile stays.
      if (typeof typed === 'string' && input.value === input.defaultValue) input.value = typed
    }
    const keep = () => {
      const typed = inputs().map((input) => [input.name, input.value])
      writeTyped(name, { ...readTyped(name), ...Object.fromEntries(typed) })
    }
    const forget = () => forgetTyped(name)
    form.addEventListener('input', keep)
    form.addEventListener('reset', forget)
    return () => {
      form.removeEventListener('input', keep)
      form.removeEventListener('reset', forget)
    }
  }, [name])
  return <input ref={place} type="hidden" disabled />
}

/** It was sent: the next time the form begins as usual. */
export function forgetTyped(name: string): void {
  try {
    sessionStorage.removeItem(storageKey(name))
  } catch {
    // Where nothing may be stored there is nothing to forget.
  }
}

function readTyped(name: string): Record<string, unknown> {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey(name)) ?? '{}') ?? {}
  } catch {
    return {}
  }
}

function writeTyped(name: string, typed: Record<string, unknown>): void {
  try {
    sessionStorage.setItem(storageKey(name), JSON.stringify(typed))
  } catch {
    // The form works as well; only the memory of it is lost.
  }
}
