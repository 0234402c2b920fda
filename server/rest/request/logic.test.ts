import { describe, expect, test } from 'vitest'
import { limits } from '../settings.ts'
import { parseLogic } from './filter.ts'
import type { Condition } from './types.ts'

/** A tree in a form that is short to write down: `or[a eq 1, not and[…]]`. */
function short(condition: Condition): string {
  const not = condition.negated ? 'not ' : ''
  if (condition.kind !== 'test')
    return `${not}${condition.kind}[${condition.conditions.map(short).join(', ')}]`
  const { field, predicate } = condition
  const path = field.path.map((step) => `${step.gives === 'text' ? '->>' : '->'}${step.at}`).join('')
  const value =
    predicate.kind === 'in'
      ? predicate.values.join('|')
      : predicate.kind === 'is'
        ? predicate.truth
        : predicate.value
  const operator =
    predicate.kind === 'compare' || predicate.kind === 'search' ? predicate.operator : predicate.kind
  return `${field.name}${path} ${not}${operator} ${value}`
}

const nested = (depth: number): string => `${'(and'.repeat(depth - 1)}(a.eq.1)${')'.repeat(depth - 1)}`

describe('parseLogic', () => {
  test.each([
    ['(a.eq.1)', 'or[a eq 1]'],
    ['(a.eq.1,b.gt.2)', 'or[a eq 1, b gt 2]'],
    ['( a.eq.1 , b.gt.2 )', 'or[a eq 1 , b gt 2 ]'],
    ['(a.not.eq.1,not.and(b.in.(1,2),c.is.null))', 'or[a not eq 1, not and[b in 1|2, c is null]]'],
    ['(and(a.eq.1,or(b.eq.2,c.eq.3)),d.eq.4)', 'or[and[a eq 1, or[b eq 2, c eq 3]], d eq 4]'],
    ['(a.eq."x,y)(\\"z")', 'or[a eq x,y)("z]'],
    ['(a.cs.{1,2},b.cs.{"k":1})', 'or[a cs {1,2}, b cs {"k":1}]'],
    ['(data->a->>b.eq.1,data->0.eq.2)', 'or[data->a->>b eq 1, data->0 eq 2]'],
    ['(or.eq.1,and.eq.2)', 'or[or eq 1, and eq 2]'],
    ['(a.plfts(english).cat,a.like(any).{x*,y*})', 'or[a plfts cat, a like {x*,y*}]'],
    ['(a.eq.)', 'or[a eq ]'],
  ])('%s', (text, expected) => expect(short(parseLogic('or', false, text))).toBe(expected))

  test('a tree may be negated as a whole', () =>
    expect(short(parseLogic('and', true, '(a.eq.1)'))).toBe('not and[a eq 1]'))

  test.each([
    '',
    '()',
    'a.eq.1',
    '(a.eq.1',
    '(a.eq.1))',
    '(a)',
    '(a.eq)',
    '(xor(a.eq.1))',
    '(a.eq.1,)',
    '(,)',
  ])('%j is refused', (text) =>
    expect(() => parseLogic('or', false, text)).toThrow(/^"failed to parse logic tree/),
  )

  test('a tree may be a hundred levels deep, and no deeper', () => {
    expect(short(parseLogic('or', false, nested(limits.nesting)))).toContain('a eq 1')
    expect(() => parseLogic('or', false, nested(limits.nesting + 1))).toThrow(
      expect.objectContaining({
        status: 400,
        body: expect.objectContaining({ details: 'more than 100 levels deep' }),
      }),
    )
  })
})
