import { expect, test } from 'vitest'
import { isCostlyPattern } from './handle.ts'

test.each([
  ['sleep', false],
  ['^[A-Z]\\w+\\s(sleep|rest)$', false],
  ['(.*a|.*b)*.{20}$', false],
  ['a{2}b{3,5}', false],
  ['[{]12[}]', false],
  ['(?:a|b)c', false],
  ['(a|b)*'.repeat(20), true],
  ['a(?=b)', true],
  ['a(?!b)', true],
  ['(?<=a)b', true],
  ['(?<!a)b', true],
  ['x'.repeat(200), false],
  ['x'.repeat(201), true],
  ['(.*)(.*)\\1\\2', true],
  ['(?b)\\(.*\\)\\1', true],
  ['(.{1,200}){1,200}z', true],
  ['((.{1,20}){1,20}){1,20}z', true],
  ['(?b)\\(.\\{1,200\\}\\)\\{1,200\\}', true],
  ['{"(a)\\\\1"}', true],
])('%j is costly: %s', (pattern, costly) => {
  expect(isCostlyPattern(pattern)).toBe(costly)
})
