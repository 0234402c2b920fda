import { expect, test } from 'vitest'
import { soundPart } from './css-syntax.ts'

test.each([
  'p { color: rgb(1, 2, 3) } q:not(.a) { }',
  'p { content: "}}}" } /* } */ q { background: url(a}) }',
  'p { margin: 0',
  '[a] (b) {c}',
  'p { ( ] ) }',
  '',
])('all of %j is sound', (css) => expect(soundPart(css)).toBe(css))

test.each([
  ['p { } } q { }', 'p { } '],
  ['color: red) ; margin: 0', 'color: red'],
  [']', ''],
  ['a(b))c', 'a(b)'],
  ['('.repeat(30), '('.repeat(20)],
  ['{[('.repeat(10), `${'{[('.repeat(6)}{[`],
])('of %j only %j is sound', (css, part) => expect(soundPart(css)).toBe(part))
