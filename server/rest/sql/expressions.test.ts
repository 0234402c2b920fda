import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { planOf } from '#tests/support/rest-requests.ts'
import { arrayLiteral, conditionSql, quoteName, statement, tableSource } from './expressions.ts'

/** SQL of one filter and its parameters. */
function sqlOf(key: string, value: string) {
  const plan = planOf({ path: `/things?${new URLSearchParams({ [key]: value })}` })
  const [condition] = plan.rows.where
  if (!condition) throw new Error('no filter')
  const { text, values } = statement((bind) =>
    conditionSql(condition, tableSource({ schema: 'public', name: 'things' }), bind),
  )
  return [text, values]
}

describe('a filter', () => {
  test.each([
    ['id', 'eq.5', '(t."id" = $1)', ['5']],
    ['id', 'not.lte.5', 'not (t."id" <= $1)', ['5']],
    ['name', 'like.*a_b%*', '(t."name" like $1)', ['%a_b%%']],
    ['name', 'ilike(any).{*a,b*}', '(t."name" ilike any($1))', ['{%a,b%}']],
    ['name', 'match.^a*', '(t."name" ~ $1)', ['^a*']],
    ['id', 'eq(all).{1}', '(t."id" = all($1))', ['{1}']],
    ['id', 'in.(1,"2")', '(t."id" = any($1))', ['{"1","2"}']],
    ['id', 'in.()', '(t."id" = any($1))', ['{}']],
    ['id', 'is.not_null', '(t."id" is not null)', []],
    ['id', 'not.is.unknown', 'not (t."id" is unknown)', []],
    ['id', 'isdistinct.1', '(t."id" is distinct from $1)', ['1']],
    ['tags', 'cs.{a}', '(t."tags" @> $1)', ['{a}']],
    ['data->a->>0', 'eq.x', '((t."data"->$1::text->>$2::int) = $3)', ['a', 0, 'x']],
    ['tags->0', 'eq.x', '((to_jsonb(t."tags")->$1::int) = $2)', [0, 'x']],
    ['words', 'fts.cat', '(t."words" @@ to_tsquery($1))', ['cat']],
    [
      'words',
      'wfts(english).cat',
      '(t."words" @@ websearch_to_tsquery($1::regconfig, $2))',
      ['english', 'cat'],
    ],
    [
      'name',
      'plfts(english).cat',
      '(to_tsvector($1::regconfig, t."name") @@ plainto_tsquery($1::regconfig, $2))',
      ['english', 'cat'],
    ],
    ['shout', 'phfts.a b', '(to_tsvector("public"."shout"(t.*)) @@ phraseto_tsquery($1))', ['a b']],
    [
      'or',
      '(id.eq.1,and(id.gt.2,id.is.null))',
      '((t."id" = $1) or ((t."id" > $2) and (t."id" is null)))',
      ['1', '2'],
    ],
    ['not.and', '(id.eq.1,id.eq.2)', 'not ((t."id" = $1) and (t."id" = $2))', ['1', '2']],
  ])('%s=%s', (key, value, text, values) => expect(sqlOf(key, value)).toEqual([text, values]))

  test('a name is quoted whatever it holds', () =>
    expect(sqlOf('"odd \\"name\\""', 'eq.1')).toEqual(['(t."odd ""name""" = $1)', ['1']]))
})

test('what a client writes never becomes SQL', () => {
  const word = fc.string({ unit: 'binary', minLength: 1 }).filter((text) => !text.includes('\0'))
  fc.assert(
    fc.property(word, word, (key, value) => {
      const path = `data->"${key.replace(/["\\]/g, '\\$&')}"`
      const [text, values] = sqlOf(path, `in.("${value.replace(/["\\]/g, '\\$&')}",x)`)
      expect(text).toBe('((t."data"->$1::text) = any($2))')
      expect(values).toEqual([key, arrayLiteral([value, 'x'])])
    }),
  )
})

test('names and arrays are closed off', () => {
  expect(quoteName('a"; drop table x; --')).toBe('"a""; drop table x; --"')
  expect(arrayLiteral(['a"b', 'c\\d', '{},', ''])).toBe('{"a\\"b","c\\\\d","{},",""}')
})
