import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RestError } from '../errors.ts'
import { parseFilter, parseLogic } from './filter.ts'
import { parseAccept, parsePrefer } from './headers.ts'
import { parsePayload } from './parse.ts'
import { parseOrder, parseQuery, parseSelect } from './query.ts'

/** Texts made of what the languages are made of, which come further than plain noise. */
const words = [
  ...[
    'a',
    'b1',
    '*',
    '"',
    '\\',
    '(',
    ')',
    '{',
    '}',
    '[',
    ']',
    ',',
    '.',
    ':',
    '::',
    '!',
    '...',
    '->',
    '->>',
    '-',
    ' ',
  ],
  ...[
    'not',
    'and',
    'or',
    'eq',
    'in',
    'is',
    'null',
    'fts',
    'any',
    'desc',
    'nullslast',
    'inner',
    'count()',
    'sum()',
  ],
  ...['0', '-1', '=', '&', ';', 'q=0', '\0', '\u{1F600}', 'é', '__proto__'],
]
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.array(fc.constantFrom(...words), { maxLength: 30 }).map((parts) => parts.join('')),
)

/** Either it can be read, or the client hears why not. */
function expectUnderstoodOrRefused(read: () => unknown): void {
  try {
    read()
  } catch (error) {
    expect(error).toBeInstanceOf(RestError)
    expect((error as RestError).status).toBeGreaterThanOrEqual(400)
    expect((error as RestError).status).toBeLessThan(500)
  }
}

describe('whatever a client writes is understood or refused', () => {
  test.each([
    ['a filter', parseFilter],
    ['a tree', (input: string) => parseLogic('or', false, input)],
    ['a tree in parentheses', (input: string) => parseLogic('and', true, `(${input})`)],
    ['a select list', parseSelect],
    ['an order', parseOrder],
    ['an Accept header', parseAccept],
    ['a Prefer header', parsePrefer],
    ['a query', (input: string) => parseQuery(new URLSearchParams(input), { withArguments: false })],
    [
      'a query with arguments',
      (input: string) => parseQuery(new URLSearchParams(input), { withArguments: true }),
    ],
  ])('%s', (_what, read) => {
    fc.assert(
      fc.property(text, (input) => expectUnderstoodOrRefused(() => read(input))),
      { numRuns: 2000 },
    )
  })

  test('a body', () => {
    const body = fc.oneof(
      fc.uint8Array(),
      fc.json().map((json) => new TextEncoder().encode(json)),
    )
    const type = fc.constantFrom(
      'application/json',
      'application/x-www-form-urlencoded',
      'text/plain',
      '',
      'x',
    )
    fc.assert(
      fc.property(body, type, fc.boolean(), (bytes, contentType, forRoutine) =>
        expectUnderstoodOrRefused(() => parsePayload({ contentType, bytes }, { forRoutine })),
      ),
      { numRuns: 1000 },
    )
  })

  test('a list that is quoted comes back as it was', () => {
    const quote = (value: string) => `"${value.replace(/["\\]/g, '\\$&')}"`
    fc.assert(
      fc.property(
        fc.array(
          fc.string({ unit: 'binary' }).filter((value) => !value.includes('\0')),
          { minLength: 2 },
        ),
        (values) => {
          const { predicate } = parseFilter(`in.(${values.map(quote).join(',')})`)
          expect(predicate).toEqual({ kind: 'in', values })
        },
      ),
    )
  })
})
