import { readField, readList, tooDeep } from './field.ts'
import { type ReadValue, readElement, readTest } from './filter.ts'
import type { Condition } from './grammar.ts'
import { limits } from './limits.ts'
import { readAll, type Scanner } from './scanner.ts'

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
