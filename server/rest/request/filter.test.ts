import { describe, expect, test } from 'vitest'
import { RestError } from '../errors.ts'
import { parseFilter } from './filter.ts'

const compare = (operator: string, value: string, more = {}) => ({
  negated: false,
  predicate: { kind: 'compare', operator, value },
  ...more,
})

describe('parseFilter', () => {
  test.each([
    ['eq.5', compare('eq', '5')],
    ['eq.', compare('eq', '')],
    ['eq.a.b,c)"d', compare('eq', 'a.b,c)"d')],
    ['neq.x', compare('neq', 'x')],
    ['gte.1', compare('gte', '1')],
    ['lt.1', compare('lt', '1')],
    ['like.*a*', compare('like', '*a*')],
    ['imatch.^a', compare('imatch', '^a')],
    ['cs.{a,b}', compare('cs', '{a,b}')],
    ['nxr.[1,5)', compare('nxr', '[1,5)')],
    ['not.adj.[1,5)', compare('adj', '[1,5)', { negated: true })],
  ])('%s compares', (text, expected) => expect(parseFilter(text)).toEqual(expected))

  test.each([
    ['eq(any).{1,2}', 'eq', 'any', '{1,2}'],
    ['like(all).{a*,*b}', 'like', 'all', '{a*,*b}'],
  ])('%s compares with several', (text, operator, quantifier, value) =>
    expect(parseFilter(text).predicate).toEqual({ kind: 'compare', operator, quantifier, value }),
  )

  test.each([
    ['in.(1,2)', ['1', '2']],
    ['in.()', []],
    ['in.("")', []],
    ['in.(a b, c)', ['a b', ' c']],
    ['in.("a,b","c\\"d","e\\\\f")', ['a,b', 'c"d', 'e\\f']],
    ['in.("a"b,c)', ['"a"b', 'c']],
    ['in.(")",x)', [')', 'x']],
  ])('%s lists its values', (text, values) =>
    expect(parseFilter(text).predicate).toEqual({ kind: 'in', values }),
  )

  test.each(['null', 'not_null', 'true', 'false', 'unknown'])('is.%s is a truth', (truth) =>
    expect(parseFilter(`is.${truth.toUpperCase()}`).predicate).toEqual({ kind: 'is', truth }),
  )

  test('isdistinct takes any value', () =>
    expect(parseFilter('not.isdistinct.null')).toEqual({
      negated: true,
      predicate: { kind: 'distinct', value: 'null' },
    }))

  test.each([
    ['fts.cat', { operator: 'fts', value: 'cat' }],
    ['plfts(english).the cat', { operator: 'plfts', config: 'english', value: 'the cat' }],
    ['phfts(simple).a', { operator: 'phfts', config: 'simple', value: 'a' }],
    ['wfts.a or b', { operator: 'wfts', value: 'a or b' }],
  ])('%s searches', (text, expected) =>
    expect(parseFilter(text).predicate).toEqual({ kind: 'search', ...expected }),
  )

  test.each([
    ['', 1, 'end of input', '"not" or operator (eq, gt, ...)'],
    ['5', 1, '"5"', '"not" or operator (eq, gt, ...)'],
    ['noop.0', 1, '"n"', '"not" or operator (eq, gt, ...)'],
    ['eq', 1, '"e"', '"not" or operator (eq, gt, ...)'],
    ['not.5', 5, '"5"', 'operator (eq, gt, ...)'],
    ['eq().1', 3, '"("', '"."'],
    ['neq(any).1', 4, '"("', '"."'],
    ['is.nil', 4, '"n"', 'isVal: (null, not_null, true, false, unknown)'],
    ['is.null.', 8, '"."', 'end of input'],
    ['in.5', 4, '"5"', '"("'],
    ['in.(5', 6, 'end of input', '")"'],
    ['fts().a', 4, '"("', '"."'],
  ])('%s is refused at column %i', (text, column, unexpected, expecting) => {
    const refusal = expect.objectContaining({
      status: 400,
      body: {
        code: 'PGRST100',
        message: `"failed to parse filter (${text})" (line 1, column ${column})`,
        details: `unexpected ${unexpected} expecting ${expecting}`,
        hint: null,
      },
    })
    expect(() => parseFilter(text)).toThrow(RestError)
    expect(() => parseFilter(text)).toThrow(refusal)
  })
})
