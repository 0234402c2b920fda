import { describe, expect, test } from 'vitest'
import { limits } from '../settings.ts'
import { parseSelect } from './query.ts'

const field = (name: string, path: unknown[] = []) => ({ name, path })
const key = (at: string | number, gives = 'json') => ({ gives, at })

describe('parseSelect', () => {
  test.each([
    ['', []],
    ['*', [{ kind: 'everything' }]],
    [
      'a,b',
      [
        { kind: 'field', field: field('a') },
        { kind: 'field', field: field('b') },
      ],
    ],
    [
      ' a , b ',
      [
        { kind: 'field', field: field('a') },
        { kind: 'field', field: field('b') },
      ],
    ],
    ['first name', [{ kind: 'field', field: field('first name') }]],
    ['kebab-case', [{ kind: 'field', field: field('kebab-case') }]],
    ['"a,b":c', [{ kind: 'field', alias: 'a,b', field: field('c') }]],
    ['größe', [{ kind: 'field', field: field('größe') }]],
    ['x:a::text', [{ kind: 'field', alias: 'x', field: field('a'), cast: 'text' }]],
    ['a::double precision', [{ kind: 'field', field: field('a'), cast: 'double precision' }]],
    ['d->a->>b', [{ kind: 'field', field: field('d', [key('a'), key('b', 'text')]) }]],
    ['d->0->-1', [{ kind: 'field', field: field('d', [key(0), key(-1)]) }]],
    ['d->1a', [{ kind: 'field', field: field('d', [key('1a')]) }]],
    ['d->"a.b"::int', [{ kind: 'field', field: field('d', [key('a.b')]), cast: 'int' }]],
    ['d->a-b', [{ kind: 'field', field: field('d', [key('a-b')]) }]],
  ])('%j names columns', (text, expected) => expect(parseSelect(text)).toEqual(expected))

  test.each([
    ['count()', { name: 'count' }],
    ['n:count()::text', { alias: 'n', name: 'count', cast: 'text' }],
    ['a.sum()', { name: 'sum', field: field('a') }],
    ['x:a::int.avg()::text', { alias: 'x', name: 'avg', field: field('a'), fieldCast: 'int', cast: 'text' }],
    ['d->n.max()', { name: 'max', field: field('d', [key('n')]) }],
  ])('%s is an aggregate', (text, expected) =>
    expect(parseSelect(text)).toEqual([{ kind: 'aggregate', ...expected }]),
  )

  const inner = [{ kind: 'field', field: field('id') }]
  test.each([
    ['rel(id)', { relation: 'rel', spread: false, items: inner }],
    ['rel()', { relation: 'rel', spread: false, items: [] }],
    ['x:rel(id)', { alias: 'x', relation: 'rel', spread: false, items: inner }],
    ['rel!fk(id)', { relation: 'rel', spread: false, hint: 'fk', items: inner }],
    ['rel!fk!inner(id)', { relation: 'rel', spread: false, hint: 'fk', join: 'inner', items: inner }],
    ['rel!left!fk(id)', { relation: 'rel', spread: false, hint: 'fk', join: 'left', items: inner }],
    ['...rel(id)', { relation: 'rel', spread: true, items: inner }],
    [
      'a(b(id))',
      {
        relation: 'a',
        spread: false,
        items: [{ kind: 'embed', relation: 'b', spread: false, items: inner }],
      },
    ],
  ])('%s is an embed', (text, expected) =>
    expect(parseSelect(text)).toEqual([{ kind: 'embed', ...expected }]),
  )

  test.each([
    ',',
    'a,',
    'a:',
    ':a',
    'a::',
    'a b::(',
    'a->',
    'a->>',
    'a.',
    'a.sum',
    'a.median()',
    '*x',
    'rel(id',
    'rel)',
    '!x',
    'a!x',
    '"a',
  ])('%j is refused', (text) => expect(() => parseSelect(text)).toThrow(/^"failed to parse select parameter/))

  test('lists and nesting have their limits', () => {
    expect(parseSelect(Array(limits.list).fill('a').join(','))).toHaveLength(limits.list)
    expect(() =>
      parseSelect(
        Array(limits.list + 1)
          .fill('a')
          .join(','),
      ),
    ).toThrow(/failed to parse/)
    expect(() => parseSelect(`${'a('.repeat(101)}b${')'.repeat(101)}`)).toThrow(/failed to parse/)
    expect(() => parseSelect(`a${'->b'.repeat(101)}`)).toThrow(/failed to parse/)
  })
})
