import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { email, optional, password, phone } from './request-body.ts'

test.each([
  ['Ada@Example.org', 'ada@example.org'],
  [' ada@example.org ', 'ada@example.org'],
  ["o'brien+tag@sub.example.co", "o'brien+tag@sub.example.co"],
  ['ada@localhost', undefined],
  ['ada', undefined],
  ['@example.org', undefined],
  ['ada@example..org', undefined],
  ['ada@-example.org', undefined],
  ['a b@example.org', undefined],
  ['ada@example.org\r\nBcc: x@example.org', undefined],
  ['ada@example.org,eve@example.org', undefined],
  ['"ada"@example.org', undefined],
  ['ada@example.org\0', undefined],
])('the address %j is kept as %j', (given, expected) => {
  expect(email.safeParse(given).data).toBe(expected)
})

test.each([
  ['+49 151 12345678', '4915112345678'],
  ['4915112345678', '4915112345678'],
  ['0151', undefined],
  ['+49-151', undefined],
  ['1234567890123456', undefined],
  ['４９１５１１２３４５', undefined],
])('the number %j is kept as %j', (given, expected) => {
  expect(phone.safeParse(given).data).toBe(expected)
})

describe('fields', () => {
  it('keep addresses that are their own normal form, and nothing that could leave a mail header', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.emailAddress()), (text) => {
        const { data } = email.safeParse(text)
        if (data === undefined) return
        expect(email.parse(data)).toBe(data)
        expect(data).not.toMatch(/[\s<>,;:"\p{Cc}]/u)
      }),
    )
  })

  it('keep passwords as they are, up to 72 bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(password.safeParse(text).success).toBe(Buffer.byteLength(text) <= 72)
      }),
    )
  })

  it('count null and nothing as missing', () => {
    for (const blank of [null, '', undefined]) expect(optional(email).parse(blank)).toBeUndefined()
  })
})
