import { expect, it, test } from 'vitest'
import { newTotp, stepOf } from './totp.ts'

/** RFC 6238, appendix B: the secret is the text 12345678901234567890; of its eight digits the last six. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

test.each([
  [59, '287082', 1],
  [1_111_111_109, '081804', 37_037_036],
  [1_234_567_890, '005924', 41_152_263],
  [2_000_000_000, '279037', 66_666_666],
  [20_000_000_000, '353130', 666_666_666],
])('at second %i the code %s is that of step %i', (seconds, code, step) => {
  expect(stepOf(code, secret, seconds * 1000)).toBe(step)
  expect(stepOf(code, secret, (seconds + 30) * 1000)).toBe(step)
  expect(stepOf(code, secret, (seconds - 30) * 1000)).toBe(step)
  expect(stepOf(code, secret, (seconds + 60) * 1000)).toBeUndefined()
})

test.each(['', '28708', '2870820', '287 082', 'abcdef', '２８７０８２'])('%j is no code', (code) => {
  expect(stepOf(code, secret, 59_000)).toBeUndefined()
})

it('an address keeps names with colons, blanks and signs apart', async () => {
  const { uri } = await newTotp({ issuer: 'A & B: C', label: 'x+y@example.org' })
  const { pathname, searchParams } = new URL(uri)
  expect(decodeURIComponent(pathname)).toContain('x+y@example.org')
  expect(searchParams.get('issuer')).toBe('A & B: C')
})
