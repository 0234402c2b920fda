// How a variable of the environment is read, checked and complained about.
import { z } from 'zod'

/** Something that the owner of the installation can mend: the message says what and how, so no stack is needed. */
export class SetupError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
  }
}

/** Variables by name. An empty value counts as unset, so that a line of an .env file can be left blank. */
export type Env = Readonly<Record<string, string>>

/** The variables that are set, of a process's environment. */
export const readEnv = (env: Readonly<Record<string, string | undefined>>): Env =>
  Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
    ),
  )

/** Settings that only make sense together: names each one that is missing beside the others. */
export function allOrNone(given: Env, names: readonly string[]): string[] {
  const present = names.filter((name) => name in given)
  if (present.length === 0) return []
  return names
    .filter((name) => !(name in given))
    .map((name) => `${name} is missing: it belongs to ${present.join(', ')}`)
}

/** Settings of which at most one makes sense. */
export function exclusive(given: Env, names: readonly string[], reason: string): string[] {
  const present = names.filter((name) => name in given)
  return present.length > 1 ? [`${present.join(' and ')} exclude each other: ${reason}`] : []
}

/** Messages say what is wanted and never repeat the value, which may be secret. */

/** on/off, true/false, 1/0, yes/no in any case. */
export const boolean = z
  .string()
  .refine((text) => /^(on|off|true|false|1|0|yes|no)$/i.test(text), 'must be on or off')
  .transform((text) => /^(on|true|1|yes)$/i.test(text))

/** A whole number between the limits, both included. */
export const wholeNumber = ({ from = 0, to = 999_999_999 } = {}) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number from ${from} to ${to}`)
    .transform(Number)
    .pipe(z.number().min(from, `must be at least ${from}`).max(to, `must be at most ${to}`))

/** An http or https address; a trailing slash is dropped, so that paths can be appended. */
export const httpAddress = z
  .url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' })
  .transform((text) => text.replace(/\/+$/, ''))

/** Comma-separated words, each of the form given. */
export const listOf = (form: RegExp, message: string) =>
  z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((word) => word.trim())
        .filter(Boolean),
    )
    .refine((words) => words.length > 0 && words.every((word) => form.test(word)), message)

/** One of a few words. */
export const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, `must be one of ${words.join(', ')}`)

export const matching = (form: RegExp, message: string) => z.string().regex(form, message)

export const email = z.email('must be an e-mail address')

/** More letters than these are no slip of the hand. */
const MOST_SLIPS = 3

/** One line for each name that is no setting, with the one that was probably meant. */
export const unknownVariables = (names: readonly string[], known: readonly string[]): string[] =>
  names.map((name) => {
    const meant = nearest(name, known)
    return `${name} is not a setting${meant ? `; probably ${meant} was meant` : ''}`
  })

function nearest(name: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((candidate) => ({ candidate, distance: editDistance(name, candidate) }))
    .sort((a, b) => a.distance - b.distance)
  return best && best.distance <= MOST_SLIPS ? best.candidate : undefined
}

/** How many letters must be added, left out or replaced (Levenshtein). */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = Number(row[j - 1]) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, Number(row[j]) + 1, Number(next[j - 1]) + 1))
    }
    row = next
  }
  return Number(row[b.length])
}
