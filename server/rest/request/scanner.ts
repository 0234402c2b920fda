import { restErrors } from '../errors.ts'
import { limits } from '../settings.ts'
import type { Field, JsonStep } from './types.ts'

/** Thrown where a text stops being readable; `readAll` turns it into the client's error. */
class SyntaxFault extends Error {
  readonly position: number
  readonly expecting: string
  constructor(position: number, expecting: string) {
    super(`expecting ${expecting}`)
    this.position = position
    this.expecting = expecting
  }
}

/** Reads a text of one of PostgREST's small languages from left to right. */
export class Scanner {
  readonly text: string
  #position = 0

  constructor(text: string) {
    this.text = text
  }

  get done(): boolean {
    return this.#position === this.text.length
  }

  sees(word: string): boolean {
    return this.text.startsWith(word, this.#position)
  }

  /** Steps over the word if it comes next. */
  skip(word: string): boolean {
    const found = this.sees(word)
    if (found) this.#position += word.length
    return found
  }

  /** Steps over what the pattern matches here. The pattern must be sticky (`y`). */
  match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#position
    const found = pattern.exec(this.text)
    if (found) this.#position = pattern.lastIndex
    return found ?? undefined
  }

  takeRest(): string {
    const rest = this.text.slice(this.#position)
    this.#position = this.text.length
    return rest
  }

  skipSpace(): void {
    while (this.skip(' ') || this.skip('\t'));
  }

  expect(word: string): void {
    if (!this.skip(word)) this.fail(`"${word}"`)
  }

  fail(expecting: string): never {
    throw new SyntaxFault(this.#position, expecting)
  }
}

/** Reads the whole text. Errors: PGRST100 that tells the place, what stands there and what was expected. */
export function readAll<T>(what: string, text: string, read: (scanner: Scanner) => T): T {
  const scanner = new Scanner(text)
  try {
    const result = read(scanner)
    if (!scanner.done) scanner.fail('end of input')
    return result
  } catch (error) {
    if (!(error instanceof SyntaxFault)) throw error
    const found = text[error.position]
    const unexpected = found === undefined ? 'end of input' : `"${found}"`
    throw restErrors.unreadable(
      `"failed to parse ${what} (${text})" (line 1, column ${error.position + 1})`,
      `unexpected ${unexpected} expecting ${error.expecting}`,
    )
  }
}

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
