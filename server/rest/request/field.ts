import { restErrors } from '../errors.ts'
import type { Field, JsonStep } from './grammar.ts'
import { limits } from './limits.ts'
import type { Scanner } from './scanner.ts'

// Without NUL, which neither a name nor a value in PostgreSQL can hold.
const QUOTED = /"((?:[^"\\\0]|\\[^\0])*)"/y
const QUOTED_ELEMENT = /"((?:[^"\\\0]|\\[^\0])*)"(?=[,)]|$)/y
// A dash may stand inside a name, but `->` begins a JSON path.
const NAME = /[\p{L}\p{M}\p{N}_ $]+(?:-(?!>)[\p{L}\p{M}\p{N}_ $]+)*/uy
const JSON_KEY = /[^(\-:.,>)\0]+(?:-(?!>)[^(\-:.,>)\0]+)*/y
// A number is an index only if the step ends with it: `->1a` is the key "1a".
const INDEX = /-?\d+(?=->|::|[.,)]|$)/y

/** `"any text"`, where a backslash keeps the character after it. */
const readQuoted = (scanner: Scanner): string | undefined => unquoted(scanner.match(QUOTED))

/** The same where it must be the whole element of a list. */
export const readQuotedElement = (scanner: Scanner): string | undefined =>
  unquoted(scanner.match(QUOTED_ELEMENT))

const unquoted = (found: RegExpExecArray | undefined): string | undefined =>
  found?.[1]?.replace(/\\(.)/gs, '$1')

/** A name of a column, relation or alias: plain (surrounding spaces do not count) or quoted. */
export function readName(scanner: Scanner): string {
  const name = readQuoted(scanner) ?? scanner.match(NAME)?.[0].trim()
  return name || scanner.fail('field name (* or [a..z0..9_$])')
}

/** `->key`, `->>key`, `->0`, … */
export function readPath(scanner: Scanner): JsonStep[] {
  const path: JsonStep[] = []
  while (scanner.skip('->')) {
    const gives = scanner.skip('>') ? 'text' : 'json'
    path.push({ gives, at: readOperand(scanner) })
    if (path.length > limits.nesting) throw tooDeep('JSON path', scanner.text)
  }
  return path
}

function readOperand(scanner: Scanner): string | number {
  const index = scanner.match(INDEX)?.[0]
  if (index !== undefined) return Number(index)
  const key = readQuoted(scanner) ?? scanner.match(JSON_KEY)?.[0].trim()
  return key ?? scanner.fail('any non reserved character different from: .,>()')
}

/** `column` or `column->path`, with spaces around it. */
export function readField(scanner: Scanner): Field {
  scanner.skipSpace()
  const field = { name: readName(scanner), path: readPath(scanner) }
  scanner.skipSpace()
  return field
}

/** Several names with commas between them. */
export function readNames(scanner: Scanner): string[] {
  const names = readList(scanner, readName)
  return [...new Set(names)]
}

/** One or more of anything, with commas between them. */
export function readList<T>(scanner: Scanner, readOne: (scanner: Scanner) => T): T[] {
  const items: T[] = []
  do {
    scanner.skipSpace()
    items.push(readOne(scanner))
    scanner.skipSpace()
    if (items.length > limits.list) throw tooMany(scanner.text)
  } while (scanner.skip(','))
  return items
}

export const tooDeep = (what: string, text: string) =>
  restErrors.unreadable(
    `"failed to parse ${what} (${text.slice(0, 80)}…)"`,
    `more than ${limits.nesting} levels deep`,
  )

const tooMany = (text: string) =>
  restErrors.unreadable(`"failed to parse list (${text.slice(0, 80)}…)"`, `more than ${limits.list} items`)
