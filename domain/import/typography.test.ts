import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plainTypography } from './html.ts'

describe('plainTypography', () => {
  it.each([
    ['‘a’ ‚b‘ it’s', "'a' 'b' it's"],
    ['“a” „b“ «c»', '"a" "b" "c"'],
    ['a‐b‑c–d—e−f', 'a-b-c-d-e-f'],
    ['so…', 'so...'],
    ['a\u00a0b\u2003c\u202fd', 'a b c d'],
    ['• a ▪ b \uf0b7 c', '* a * b * c'],
    ['soft\u00adhyphen\u200b', 'softhyphen'],
    ['café naïve ™ © ½ 日本語 👩‍👧 · €', 'café naïve ™ © ½ 日本語 👩‍👧 · €'],
  ])('%j becomes %j', (text, plain) => expect(plainTypography(text)).toBe(plain))

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(plainTypography(plainTypography(text))).toBe(plainTypography(text))
      }),
    )
  })
})
