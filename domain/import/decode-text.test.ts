import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeText } from './decode-text.ts'

const hex = (...parts: (string | number[])[]) =>
  new Uint8Array(
    Buffer.concat(
      parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
    ),
  )

describe('decodeText', () => {
  it.each([
    ['UTF-8', Buffer.from('<p>café “x”</p>'), '<p>café “x”</p>'],
    ['UTF-8 with its mark', hex([0xef, 0xbb, 0xbf], '<p>x</p>'), '<p>x</p>'],
    [
      'UTF-16 with its mark, as Word saves Unicode',
      Buffer.from('\ufeff<p>café</p>', 'utf16le'),
      '<p>café</p>',
    ],
    ['UTF-16 without a mark', Buffer.from('<p>café</p>', 'utf16le'), '<p>café</p>'],
    ['big-endian UTF-16', hex([0xfe, 0xff, 0, 0x3c, 0, 0x70, 0, 0x3e]), '<p>'],
    [
      'Windows-1252, as Word declares it',
      hex(
        '<meta http-equiv=Content-Type content="text/html; charset=windows-1252">',
        [0x93, 0x99, 0xe9, 0x94],
      ),
      '<meta http-equiv=Content-Type content="text/html; charset=windows-1252">“™é”',
    ],
    [
      'Latin 1, which browsers read as Windows-1252',
      hex('<meta charset="iso-8859-1">', [0x92]),
      '<meta charset="iso-8859-1">’',
    ],
    ['Central European', hex('<meta charset=windows-1250>', [0xe8]), '<meta charset=windows-1250>č'],
    [
      'an XML declaration',
      hex('<?xml encoding="windows-1251"?>', [0xe4]),
      '<?xml encoding="windows-1251"?>д',
    ],
    [
      'UTF-8 that claims to be Windows-1252',
      Buffer.from('<meta charset=windows-1252>é'),
      '<meta charset=windows-1252>é',
    ],
    ['a claim of UTF-16 in single bytes', Buffer.from('<meta charset=utf-16>é'), '<meta charset=utf-16>é'],
    ['an encoding that nobody knows', Buffer.from('<meta charset=klingon>é'), '<meta charset=klingon>é'],
  ])('reads %s', (_what, bytes, text) => {
    expect(decodeText(new Uint8Array(bytes))).toEqual({ text, isGuess: false })
  })

  it.each([
    ['nothing is said', hex('<p>caf', [0xe9], '</p>'), '<p>café</p>'],
    ['UTF-8 is claimed', hex('<meta charset=utf-8>caf', [0xe9]), '<meta charset=utf-8>café'],
  ])('reads Windows-1252 by guessing where %s', (_what, bytes, text) => {
    expect(decodeText(bytes)).toEqual({ text, isGuess: true })
  })

  it('refuses what is no text', () => {
    expect(() => decodeText(hex('\x7fELF<', [0, 0, 1, 0xff]))).toThrow(
      'Could not process this file. It may contain characters that cannot be encoded.',
    )
  })

  it('reads any text that was saved as UTF-8 or UTF-16', () => {
    const texts = fc.string({ unit: 'grapheme' }).map((text) => `<p>${text.replaceAll('\0', '')}`)
    fc.assert(
      fc.property(texts, (text) => {
        expect(decodeText(new TextEncoder().encode(text)).text).toBe(text)
        expect(decodeText(new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'))).text).toBe(text)
      }),
    )
  })
})
