import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkBucketName, checkObjectName, isObjectName } from './names.ts'

describe('names of objects', () => {
  it.each([
    'a',
    'a/b/c.png',
    'Ünï cödé 🌱 100%.webp',
    '.hidden',
    'a..b',
    "!-_*'() &$@=;:+,?",
    '日本語/絵.png',
  ])('%j is one', (name) => {
    expect(checkObjectName(name)).toBe(name)
  })

  it.each([
    '',
    '/a',
    'a/',
    'a//b',
    '.',
    '..',
    'a/../b',
    'a/./b',
    'a\\b',
    'a\0',
    'a\nb',
    'a\u0085',
    'a\u2028',
    '\ud800',
  ])('%j is none', (name) => {
    expect(() => checkObjectName(name)).toThrow('Invalid key')
  })

  it('have 255 bytes a segment and 1024 in all at most', () => {
    expect(isObjectName('ü'.repeat(127))).toBe(true)
    expect(isObjectName('ü'.repeat(128))).toBe(false)
    expect(isObjectName(`${'a'.repeat(255)}/`.repeat(4).slice(0, 1023))).toBe(true)
    expect(isObjectName(`${'a'.repeat(254)}/`.repeat(5).slice(0, 1025))).toBe(false)
  })

  it('never say anything but yes or no, whatever they are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        if (isObjectName(name)) expect(name).not.toMatch(/\\|\0|(^|\/)\.{0,2}(\/|$)/)
      }),
    )
  })
})

describe('names of buckets', () => {
  it.each(['images', 'resource-images', 'a b', 'Bücher'])('%j is one', (name) => {
    expect(checkBucketName(name)).toBe(name)
  })

  it.each(['', ' a', 'a ', 'a/b', '..', 'x'.repeat(101), 'a\0'])('%j is none', (name) => {
    expect(() => checkBucketName(name)).toThrow('Bucket name invalid')
  })
})
