import { limits } from '../settings.ts'
import { readAll, readField, readList, readQuotedElement, type Scanner, tooDeep } from './scanner.ts'
import {
  type Comparison,
  type Condition,
  comparisons,
  type Predicate,
  type Search,
  searches,
  type Truth,
} from './types.ts'

const EXPECTED = 'operator (eq, gt, ...)'
// `isdistinct` before `is`: the longer word first.
const OPERATOR = new RegExp(
  `(?:${[...searches, ...comparisons, 'in', 'isdistinct', 'is'].join('|')})(?=[.(])`,
  'y',
)
const SEARCHES: ReadonlySet<string> = new Set(searches)
const QUANTIFIABLE: ReadonlySet<string> = new Set<Comparison>([
  ...(['eq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike', 'match', 'imatch'] as const),
])

export interface Test {
  negated: boolean
  predicate: Predicate
}

/** How far a plain value reaches: to the end, or inside a tree to the next comma or parenthesis. */
type ReadValue = (scanner: Scanner) => string

/** The value of a filter parameter: `eq.5`, `not.in.(a,b)`, `fts(english).cat`. Errors: PGRST100. */
export const parseFilter = (text: string): Test =>
  readAll('filter', text, (scanner) => readTest(scanner, (rest) => rest.takeRest()))

/** `not.` perhaps, an operator, its operand. */
function readTest(scanner: Scanner, readValue: ReadValue): Test {
  const negated = scanner.skip('not.')
  const operator = scanner.match(OPERATOR)?.[0] ?? scanner.fail(negated ? EXPECTED : `"not" or ${EXPECTED}`)
  return { negated, predicate: readOperand(scanner, operator, readValue) }
}

function readOperand(scanner: Scanner, operator: string, readValue: ReadValue): Predicate {
  if (SEARCHES.has(operator)) {
    const config = scanner.match(/\(([\p{L}\p{N}_ $]+)\)/uy)?.[1]
    scanner.expect('.')
    return {
      kind: 'search',
      operator: operator as Search,
      ...(config && { config }),
      value: readValue(scanner),
    }
  }
  const quantifier = QUANTIFIABLE.has(operator) ? readQuantifier(scanner) : undefined
  scanner.expect('.')
  switch (operator) {
    case 'in':
      return { kind: 'in', values: readValues(scanner) }
    case 'is':
      return { kind: 'is', truth: readTruth(scanner) }
    case 'isdistinct':
      return { kind: 'distinct', value: readValue(scanner) }
    default:
      return { kind: 'compare', operator: operator as Comparison, ...quantifier, value: readValue(scanner) }
  }
}

function readQuantifier(scanner: Scanner): { quantifier: 'any' | 'all' } | undefined {
  const word = scanner.match(/\((any|all)\)/y)?.[1]
  return word ? { quantifier: word as 'any' | 'all' } : undefined
}

const readTruth = (scanner: Scanner): Truth =>
  (scanner.match(/null|not_null|true|false|unknown/iy)?.[0].toLowerCase() as Truth | undefined) ??
  scanner.fail('isVal: (null, not_null, true, false, unknown)')

/** `(a,"b,c",d)`; `()` is the empty list. */
function readValues(scanner: Scanner): string[] {
  scanner.skipSpace()
  scanner.expect('(')
  const values: string[] = []
  do values.push(readElement(scanner))
  while (scanner.skip(','))
  scanner.expect(')')
  scanner.skipSpace()
  return values.length === 1 && values[0] === '' ? [] : values
}

/** Quoted, if the element ends with the quote; else everything up to the comma, quotes and all. */
const readElement: ReadValue = (scanner) => readQuotedElement(scanner) ?? scanner.match(/[^,)]*/y)?.[0] ?? ''

type Joint = 'and' | 'or'

/**
 * The value of `and`, `or`, `not.and`, `not.or`: `(a.eq.1,or(b.gt.2,not.and(c.is.null,d.in.(1,2))))`.
 * Errors: PGRST100.
 */
export const parseLogic = (joint: Joint, negated: boolean, text: string): Condition =>
  readAll('logic tree', text, (scanner) => readTree(scanner, { joint, negated }, 1))

function readTree(scanner: Scanner, head: { joint: Joint; negated: boolean }, depth: number): Condition {
  if (depth > limits.nesting) throw tooDeep('logic tree', scanner.text)
  scanner.skipSpace()
  scanner.expect('(')
  const conditions = readList(scanner, () => readCondition(scanner, depth))
  scanner.expect(')')
  scanner.skipSpace()
  return { kind: head.joint, negated: head.negated, conditions }
}

function readCondition(scanner: Scanner, depth: number): Condition {
  const head = scanner.match(/(not\.)?(and|or)(?=[ \t]*\()/y)
  if (head) return readTree(scanner, { joint: head[2] as Joint, negated: head[1] !== undefined }, depth + 1)
  const field = readField(scanner)
  scanner.expect('.')
  return { kind: 'test', field, ...readTest(scanner, readValue) }
}

/** Inside a tree a value ends at a comma or parenthesis, unless it is quoted or an array (`{1,2}`). */
const readValue: ReadValue = (scanner) => scanner.match(/\{[^{}]*\}/y)?.[0] ?? readElement(scanner)
