import { type PGlite, parse, protocol } from '@electric-sql/pglite'
import type { Value } from './port.ts'

export type Messages = ReadonlyArray<Uint8Array>

const { serialize } = protocol

/** A statement. */
export const statement = (text: string, values: readonly Value[] = []): Messages => [
  serialize.parse({ text }),
  ...execution('', values),
]

/** Makes a statement known under a name, which may have stood for another one. */
export const preparation = (name: string, text: string): Messages => [
  serialize.close({ type: 'S', name }),
  serialize.parse({ name, text }),
]

/**
 * Runs a statement that was made known under a name. Values go in PostgreSQL's text form, whatever their type is, so
 * there is no need to ask for it.
 */
export const execution = (name: string, values: readonly Value[]): Messages => [
  serialize.bind({ statement: name, values: values.map((value) => (value === null ? null : String(value))) }),
  serialize.describe({ type: 'P' }),
  serialize.execute({}),
]

/** Statements one after the other; after an error the engine skips the others. */
export const together = (...statements: Messages[]): Messages => [...statements.flat(), serialize.sync()]

/** Any number of statements without parameters. */
export const script = (sql: string): Messages => [serialize.query(sql)]

/** Sends messages to the engine in one go; the result of the last statement. Errors: PGlite's DatabaseError. */
export async function send(db: PGlite, messages: Messages) {
  const answers = await db.execProtocolStream(Buffer.concat(messages), { syncToFs: false })
  const result = parse.parseResults(answers, db.parsers).at(-1)
  if (!result) throw new Error('the engine gave no answer')
  return result
}
