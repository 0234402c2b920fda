import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, it, test } from 'vitest'
import { answersChallenge, readChallenge } from './secrets.ts'

const value = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

test.each([
  [{}, undefined],
  [
    { code_challenge: value, code_challenge_method: 's256' },
    { method: 's256', value },
  ],
  [
    { code_challenge: value, code_challenge_method: 'S256' },
    { method: 's256', value },
  ],
  [
    { code_challenge: value, code_challenge_method: 'plain' },
    { method: 's256', value: createHash('sha256').update(value).digest('base64url') },
  ],
])('readChallenge(%j)', (given, expected) => {
  expect(readChallenge(given)).toEqual(expected)
})

test.each([
  { code_challenge: value },
  { code_challenge_method: 's256' },
  { code_challenge: value, code_challenge_method: 'md5' },
  { code_challenge: value.slice(1), code_challenge_method: 's256' },
  { code_challenge: 'a'.repeat(129), code_challenge_method: 's256' },
  { code_challenge: `${value}!`, code_challenge_method: 's256' },
])('readChallenge refuses %j', (given) => {
  expect(() => readChallenge(given)).toThrow()
})

it('agrees with the example of RFC 7636, appendix B', () => {
  expect(answersChallenge('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk', { method: 's256', value })).toBe(
    true,
  )
})

it('takes no other verifier', () => {
  fc.assert(
    fc.property(fc.string(), (verifier) => {
      expect(answersChallenge(verifier, { method: 's256', value })).toBe(false)
    }),
  )
})
