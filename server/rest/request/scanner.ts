import { restErrors } from '../errors.ts'

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
