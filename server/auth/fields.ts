import { z } from 'zod'

const MAX_EMAIL = 255
/** bcrypt reads no further, so a longer password would be a promise that is not kept. */
const MAX_PASSWORD_BYTES = 72
const MAX_METADATA_BYTES = 16_384

/** GoTrue's clients send null or an empty text for what they do not mean. */
const blankAsMissing = (value: unknown): unknown => (value === null || value === '' ? undefined : value)

/** A field that may be missing, null or empty. */
export const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess(blankAsMissing, schema.optional())

const ADDRESS = /^[^\s@"(),:;<>[\\\]]+@([a-z\d]([a-z\d-]*[a-z\d])?\.)+[a-z\d-]{2,}$/
const badEmail = 'Unable to validate email address: invalid format'

/** An address, in lower case. */
export const email = z
  .string()
  .max(MAX_EMAIL, badEmail)
  .transform((text) => text.trim().toLowerCase())
  .pipe(z.string().regex(ADDRESS, badEmail))

/** A number as E.164 has it, without the plus: GoTrue's form. */
export const phone = z
  .string()
  .max(32, 'Invalid phone number format (E.164 required)')
  .transform((text) => text.replaceAll(/[\s+]/g, ''))
  .pipe(z.string().regex(/^[1-9]\d{5,14}$/, 'Invalid phone number format (E.164 required)'))

export const password = z.string().refine((text) => Buffer.byteLength(text) <= MAX_PASSWORD_BYTES, {
  error: `Password cannot be longer than ${MAX_PASSWORD_BYTES} characters`,
})

/** What somebody stores about a user: any JSON object of a sensible size. It travels in every access token. */
export const metadata = z
  .record(z.string(), z.unknown())
  .refine((data) => JSON.stringify(data).length <= MAX_METADATA_BYTES, {
    error: `Metadata cannot be larger than ${MAX_METADATA_BYTES} characters`,
  })

export const channel = z.enum(['sms', 'whatsapp'])

/** For mailed flows: the client's PKCE challenge (protocol.md 2.6). */
export const challengeFields = {
  code_challenge: optional(z.string()),
  code_challenge_method: optional(z.string()),
}
