import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeArticle, encodeArticle, losesCharacters } from './encoding.ts'

const html = (text: string) => ({ state: 'html', html: text })

describe('decodeArticle', () => {
  it.each([
    ['PHA+Y2Fmw6kg8J+RqTwvcD4=', '<p>café 👩</p>'],
    ['PHA+Y2Fmw6kg8J+RqTwvcD4', '<p>café 👩</p>'],
    ['PHA+Y2Fm\r\nw6kg8J+R\nqTwvcD4=\n', '<p>café 👩</p>'],
    ['77u/PHA+eDwvcD4=', '<p>x</p>'],
    ['YQBi', 'ab'],
  ])('reads %j', (stored, text) => expect(decodeArticle(stored)).toEqual(html(text)))

  it.each([null, '', '  \n', 'ICAK', 'AAAA'])('finds nothing in %j', (stored) => {
    expect(decodeArticle(stored)).toEqual({ state: 'empty' })
  })

  it.each([
    ['HTML that was never encoded', '<p>x</p>'],
    ['a character of no base64', 'PHA+%'],
    ['a length that base64 cannot have', 'PHA+P'],
    ['padding in the middle', 'PHA=PHA='],
    ['Windows-1252', 'Y2Fm6Q=='],
    ['half a character', '8J+R'],
    ['UTF-16', '//48AHAAPgA='],
  ])('cannot decode %s', (_what, stored) => expect(decodeArticle(stored)).toEqual({ state: 'undecodable' }))
})

describe('encodeArticle', () => {
  it('is read back, whatever the text', () => {
    const texts = fc.string({ unit: 'grapheme' }).map((text) => `<p>${text.replaceAll('\0', '')}`)
    fc.assert(
      fc.property(texts, (text) => {
        expect(decodeArticle(encodeArticle(text))).toEqual(html(text))
        expect(Buffer.from(encodeArticle(text), 'base64').toString()).toBe(text)
      }),
    )
  })

  it('replaces half a surrogate pair, which UTF-8 cannot hold', () => {
    expect(decodeArticle(encodeArticle('a\ud83d'))).toEqual(html('a\ufffd'))
  })

  it('takes an article of ten megabytes', () => {
    const text = 'ä'.repeat(5_000_000)
    expect(decodeArticle(encodeArticle(text))).toEqual(html(text))
  })
})

describe('losesCharacters', () => {
  it.each([
    ['<p>café 👩</p>', false],
    ['a\ud83d', true],
    ['\udc69a', true],
    ['a\0', true],
  ])('%j: %s', (text, expected) => expect(losesCharacters(text)).toBe(expected))

  it('is told of exactly the texts that come back changed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.constantFrom('', '\ud800', '\0'), (text, half) => {
        const written = `<p>${text}${half}</p>`
        const back = decodeArticle(encodeArticle(written))
        expect(back.state === 'html' && back.html === written).toBe(!losesCharacters(written))
      }),
    )
  })
})
