import { readField, readList } from './field.ts'
import type { OrderTerm } from './grammar.ts'
import { readAll, type Scanner } from './scanner.ts'

/** `a.desc.nullslast,b->c,rel(d).asc`. Errors: PGRST100. */
export const parseOrder = (text: string): OrderTerm[] =>
  readAll('order', text, (scanner) => readList(scanner, readTerm))

function readTerm(scanner: Scanner): OrderTerm {
  const head = readHead(scanner)
  const direction = scanner.match(/\.(asc|desc)(?![a-z])/y)?.[1]
  const nulls = scanner.match(/\.nulls(first|last)(?![a-z])/y)?.[1]
  if (scanner.skip('.')) {
    scanner.fail(direction ? '"nullsfirst" or "nullslast"' : '"asc", "desc", "nullsfirst" or "nullslast"')
  }
  return { ...head, descending: direction === 'desc', ...(nulls && { nulls: nulls as 'first' | 'last' }) }
}

function readHead(scanner: Scanner): Pick<OrderTerm, 'field' | 'relation'> {
  const field = readField(scanner)
  if (field.path.length > 0 || !scanner.skip('(')) return { field }
  const related = readField(scanner)
  scanner.expect(')')
  return { relation: field.name, field: related }
}
