import type { Context } from 'hono'
import { z } from 'zod'
import { AuthError, authErrors } from './errors.ts'

/** Deeper than anything a person means; the database's own parser gives up somewhere beyond. */
const MAX_DEPTH = 32

/**
 * The JSON body as the schema has it; fields that the schema does not know are left out, as GoTrue does.
 * Errors: bad_json, validation_failed with the first problem.
 */
export async function readBody<Schema extends z.ZodType>(
  c: Context,
  schema: Schema,
): Promise<z.output<Schema>> {
  return check(schema, parseJson(new Uint8Array(await c.req.arrayBuffer())))
}

/** The same for calls whose body may be missing. */
export async function readOptionalBody<Schema extends z.ZodType>(
  c: Context,
  schema: Schema,
): Promise<z.output<Schema>> {
  const bytes = new Uint8Array(await c.req.arrayBuffer())
  return check(schema, bytes.length === 0 ? {} : parseJson(bytes))
}

/** The fields of a form. Errors: validation_failed when it cannot be read as one. */
export async function readForm(c: Context): Promise<Record<string, unknown>> {
  try {
    return await c.req.parseBody()
  } catch (error) {
    if (error instanceof AuthError) throw error
    throw authErrors.invalid('Could not read the request body as a form')
  }
}

/** A value by its schema. Errors: validation_failed with the first problem. */
export function check<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw authErrors.invalid(describeIssue(parsed.error.issues[0]))
}

/** JSON that the database can hold: UTF-8, an object, no NUL, no half characters, not absurdly deep. */
function parseJson(bytes: Uint8Array): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw authErrors.badJson('Could not parse request body as JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw authErrors.badJson('Could not parse request body as JSON: an object is needed')
  }
  mustBeStorable(value)
  return value as Record<string, unknown>
}

/** Walks without recursion: the depth is the sender's choice. */
function mustBeStorable(root: object): void {
  const open: Array<{ value: unknown; depth: number }> = [{ value: root, depth: 0 }]
  for (let item = open.pop(); item; item = open.pop()) {
    const { value, depth } = item
    if (depth > MAX_DEPTH) throw authErrors.invalid('The request body is nested too deeply')
    if (typeof value === 'string' && !isStorable(value))
      throw authErrors.invalid('Text holds characters that are not allowed')
    if (typeof value !== 'object' || value === null) continue
    for (const [key, inner] of Object.entries(value)) {
      open.push({ value: key, depth }, { value: inner, depth: depth + 1 })
    }
  }
}

/** PostgreSQL's text holds neither NUL nor half of a surrogate pair. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** Our own messages stand alone; zod's need the field's name. */
function describeIssue(issue: z.core.$ZodIssue | undefined): string {
  if (!issue) return 'The request is not valid'
  const isOwn = !issue.message.startsWith('Invalid') && !issue.message.startsWith('Too ')
  return isOwn || issue.path.length === 0 ? issue.message : `${issue.path.join('.')}: ${issue.message}`
}

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
