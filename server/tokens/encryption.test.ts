import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { createSealing, isSealed, parseEncryptionKey, UnsealFailed } from './encryption.ts'

const key = randomBytes(32)
const sealing = createSealing(key)
const secret = 'JBSWY3DPEHPK3PXP'

describe('a sealed secret', () => {
  it('does not show, is never sealed twice the same way, and opens with the same key', () => {
    const [one, two] = [sealing.seal(secret, 'a place'), sealing.seal(secret, 'a place')]
    expect(one).not.toBe(two)
    expect(isSealed(one)).toBe(true)
    expect(one).not.toContain(secret)
    expect(Buffer.from(one.split('.')[3] ?? '', 'base64url').toString('latin1')).not.toContain(secret)
    expect(createSealing(Buffer.from(key)).unseal(two, 'a place')).toBe(secret)
  })

  it('of any text comes back as it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, place) => {
        expect(sealing.unseal(sealing.seal(text, place), place)).toBe(text)
      }),
    )
  })

  it('opens neither in another place nor with another key, and the refusal does not show it', () => {
    const sealed = sealing.seal(secret, 'a place')
    const other = createSealing(randomBytes(32))
    expect(() => sealing.unseal(sealed, 'another place')).toThrow('another place does not open')
    expect(() => other.unseal(sealed, 'a place')).toThrow(`sealed with the key ${sealing.keyId}`)
    const relabelled = sealed.replace(sealing.keyId, other.keyId)
    expect(() => other.unseal(relabelled, 'a place')).toThrow('altered')
  })

  it('that was changed anywhere, or never was one, does not open and breaks nothing', () => {
    const sealed = sealing.seal(secret, 'a place')
    const start = sealed.lastIndexOf('.') + 1
    const bytes = Buffer.from(sealed.slice(start), 'base64url')
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      const text = sealed.slice(0, start) + changed.toString('base64url')
      expect(() => sealing.unseal(text, 'a place')).toThrow(UnsealFailed)
    }
    fc.assert(
      fc.property(fc.string(), (junk) => {
        expect(() => sealing.unseal(junk, 'a place')).toThrow(UnsealFailed)
        expect(() => sealing.unseal(sealed.slice(0, start) + junk, 'a place')).toThrow(UnsealFailed)
      }),
    )
  })
})

const hex = key.toString('hex')
const base64 = key.toString('base64')
test.each([
  ['hex', hex],
  ['hex in capitals', hex.toUpperCase()],
  ['base64', base64],
  ['base64 without padding', base64.replace('=', '')],
  ['base64 for URLs', key.toString('base64url')],
  ['a line of a file', `${base64}\n`],
])('a key is read from %s', (_form, text) => {
  expect(parseEncryptionKey(text)).toEqual(key)
})

test.each([
  '',
  'a pass phrase',
  hex.slice(2),
  `${hex}00`,
  randomBytes(31).toString('base64'),
  randomBytes(33).toString('base64'),
  `${base64}=`,
])('%s is no key', (text) => {
  expect(parseEncryptionKey(text)).toBeUndefined()
})

it('a key of another length is refused', () => {
  expect(() => createSealing(randomBytes(16))).toThrow(RangeError)
})
