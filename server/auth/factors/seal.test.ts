import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createSeal } from './seal.ts'

const seal = createSeal('sb_secret_one')
const secret = 'JBSWY3DPEHPK3PXP'

it('a sealed secret does not show, and is never sealed twice the same way', () => {
  const [one, two] = [seal.close(secret, 'a factor'), seal.close(secret, 'a factor')]
  expect(one).not.toBe(two)
  expect(one).not.toContain(secret)
  expect(Buffer.from(one.slice('sealed:'.length), 'base64url').toString('latin1')).not.toContain(secret)
  expect(seal.open(one, 'a factor')).toBe(secret)
  expect(createSeal('sb_secret_one').open(two, 'a factor')).toBe(secret)
})

it('it opens neither for another row nor under another key', () => {
  const sealed = seal.close(secret, 'a factor')
  expect(seal.open(sealed, 'another factor')).toBeUndefined()
  expect(createSeal('sb_secret_two').open(sealed, 'a factor')).toBeUndefined()
})

it('what was changed anywhere, or never was one, does not open and breaks nothing', () => {
  const sealed = seal.close(secret, 'a factor')
  fc.assert(
    fc.property(fc.nat(sealed.length - 'sealed:'.length - 1), fc.base64String(), (at, junk) => {
      const place = 'sealed:'.length + at
      const changed = sealed.slice(0, place) + (sealed[place] === 'A' ? 'B' : 'A') + sealed.slice(place + 1)
      const sameBytes = Buffer.from(changed.slice(7), 'base64url').equals(
        Buffer.from(sealed.slice(7), 'base64url'),
      )
      expect(seal.open(changed, 'a factor')).toBe(sameBytes ? secret : undefined)
      expect(seal.open(`sealed:${junk}`, 'a factor')).toBeUndefined()
    }),
  )
})
