import type { Context } from 'hono'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Database, Transaction } from '#server/database/port.ts'
import type { Files } from '#server/files/port.ts'
import type { Admission } from '#server/http/admission.ts'
import type { CallerEnv } from '#server/tokens/authenticate.ts'
import type { Caller } from '#server/tokens/caller.ts'
import { storageErrors } from './errors.ts'
import type { ObjectKey } from './names.ts'
import type { Signer } from './signing.ts'

export type StorageContext = Context<CallerEnv>

/** Enough for a thousand of the longest names. */
const MAX_JSON_BYTES = 2 * 1024 * 1024
/** Who is not signed in has no thousand names to tell. */
const MAX_VISITOR_JSON_BYTES = 64 * 1024

/** The bucket and the name in an address like /object/{bucket}/{path}. */
export const keyOf = (c: Context): ObjectKey => {
  const { bucket = '', name = '' } = c.req.param()
  return { bucket, name }
}

/** Reads a JSON body of the given form; no body counts as {}. Errors: InvalidRequest, EntityTooLarge. */
export async function readJson<T>(c: StorageContext, schema: z.ZodType<T>): Promise<T> {
  const isVisitor = c.var.caller.role === 'anon'
  const text = await readText(c.req.raw, isVisitor ? MAX_VISITOR_JSON_BYTES : MAX_JSON_BYTES)
  let body: unknown
  try {
    body = text === '' ? {} : JSON.parse(text)
  } catch {
    throw storageErrors.invalid('The body is not JSON')
  }
  return parse(schema, body)
}

/** Reads the query's parameters. Errors: InvalidRequest. */
export const readQuery = <T>(c: Context, schema: z.ZodType<T>): T => parse(schema, c.req.query())

function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const { success, data, error } = schema.safeParse(value)
  if (success) return data
  const [issue] = error.issues
  throw storageErrors.invalid(`${issue?.path.join('/') || 'body'}: ${issue?.message ?? 'invalid'}`)
}

async function readText({ body, headers }: Request, maxBytes: number): Promise<string> {
  if (Number(headers.get('content-length')) > maxBytes) throw storageErrors.tooLarge()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > maxBytes) throw storageErrors.tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** A flag that storage-js sends as a header. */
export const wantsUpsert = (c: Context): boolean => c.req.header('x-upsert') === 'true'

/** A text that PostgreSQL can hold: it has no NUL, and no half of a surrogate pair. */
export const storableText = z
  .string()
  .max(2048)
  .refine((text) => !text.includes('\0') && text.isWellFormed(), 'holds characters that cannot be stored')

/** What the endpoints work with. */
export interface StorageDeps {
  db: Database
  files: Files
  signer: Signer
  log: Logger
  admission: Admission
}

/** On whose behalf objects are written: how to open a transaction, and who owns what is made in it. */
export interface Access {
  ownerId: string | null
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
}

/** The caller's own rights: row-level security judges every statement. */
export const callerAccess = (db: Database, caller: Caller): Access => ({
  ownerId: typeof caller.claims.sub === 'string' ? caller.claims.sub : null,
  transaction: (work) => db.asCaller(caller, work),
})

/** The holder of a signed upload address: policies judged when it was signed, and the signer owns the object. */
export const signedAccess = (db: Database, ownerId: string | null): Access => ({
  ownerId,
  transaction: (work) => db.asOwner('an upload by a signed address', work),
})

/**
 * Whether the database would let the work through: does it, and takes it back. Refuses a long upload before its bytes
 * are sent, not after. Errors: what the work throws.
 */
export async function rehearse(access: Access, work: (tx: Transaction) => Promise<unknown>): Promise<void> {
  const takeBack = new Error('only a rehearsal')
  await access
    .transaction(async (tx) => {
      await work(tx)
      throw takeBack
    })
    .catch((error) => {
      if (error !== takeBack) throw error
    })
}
