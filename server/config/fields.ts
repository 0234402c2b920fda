import { z } from 'zod'

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
