import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sanitiseArticle } from '#domain/article/sanitise.ts'
import { decodeArticle, encodeArticle } from '../article/encoding.ts'
import { ImportError } from './html.ts'
import { decodeText, importArticle, importArticleFile } from './import-article.ts'

const file = (text: string, name = 'a.html') => ({ name, bytes: new TextEncoder().encode(text) })
const fromWord = (body: string) =>
  file(`<html xmlns:w="urn:schemas-microsoft-com:office:word"><head><style>p.a:before{content:"“"}</style></head>
    <body>${body}</body></html>`)

const cannotProcess = 'Could not process this file. It may contain characters that cannot be encoded.'

describe('a file of Word', () => {
  it.each([
    '<meta name=ProgId content=Word.Document>',
    '<meta name="Generator" content="Microsoft Word 15 (filtered)">',
    '<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word">',
    '<p class=MsoNormal>x</p>',
    '<p class="MsoTitle">x</p>',
  ])('is known by %s', async (html) => {
    expect(await importArticle(file(html, 'My text.htm'))).toMatchObject({
      word: true,
      link: 'word/My text.htm',
    })
  })

  it.each([
    '<p class="Msomething">x</p>',
    '<p>Written in Microsoft Word</p>',
    '<meta name=generator content=Hugo>',
  ])('is not %s', async (html) => {
    expect(await importArticle(file(html))).toMatchObject({ word: false, link: '/html/a.html', html })
  })

  it('gets plain characters for typographic ones, in text but not in its style sheet', async () => {
    const { html, notes } = await importArticle(
      fromWord('<p title="“">“Don’t”&nbsp;&ndash; wait&hellip; &#8226; a\u2011b</p><img alt="“x”">'),
    )
    expect(html).toContain('"Don\'t" - wait... * a-b</p>')
    expect(html).toContain('content:"“"')
    expect(html).toContain('alt="&#x22;x&#x22;"')
    expect(notes).toContain(
      'Curly quotes, long dashes and other typographic characters were replaced by plain ones.',
    )
  })

  it('gets bullets for the letters that a font of symbols draws as bullets', async () => {
    const { html } = await importArticle(
      fromWord(
        "<p><span style='font-family:Wingdings'><span>§<span>&nbsp;</span></span></span>One § two</p>",
      ),
    )
    expect(html).toMatch(/<span>\*<span> <\/span><\/span><\/span>One § two/)
  })

  it('does not speak of hard spaces in empty paragraphs', async () => {
    const { notes } = await importArticle(fromWord('<p class=MsoNormal><o:p>&nbsp;</o:p></p><p>a</p>'))
    expect(notes).toEqual([])
  })

  it('gives title and description, from the title style and the next paragraph with words in it', async () => {
    const imported = await importArticle(
      fromWord(`<p class=MsoTitle><b>Talking</b> about\n “phones”<o:p></o:p></p><p><o:p>&nbsp;</o:p></p>
        <h1>Not this</h1><p class=MsoSubtitle>How to begin.</p><p>Later.</p>`),
    )
    expect(imported).toMatchObject({ title: 'Talking about "phones"', description: 'How to begin.' })
  })

  it('gives no more than the columns hold', async () => {
    const { title = '', description = '' } = await importArticle(
      fromWord(`<p class=MsoTitle>${'word '.repeat(100)}</p><p>${'long'.repeat(1000)}</p>`),
    )
    expect(title).toMatch(/word\.\.\.$/)
    expect(title.length).toBeLessThanOrEqual(300)
    expect(description.length).toBe(2000)
  })

  it('loses the comments that carry its settings', async () => {
    const { html } = await importArticle(
      fromWord('<!--[if gte mso 9]><xml><w:WordDocument/></xml><![endif]--><p>a<!-- b --></p>'),
    )
    expect(html).not.toMatch(/<!--|WordDocument/)
  })

  it('comes out right in Windows-1252', async () => {
    const bytes = Buffer.from(
      '<meta charset=windows-1252><p class=MsoTitle>Caf\xe9 \x93now\x94 \x96 \x85</p>',
      'latin1',
    )
    const { title, notes } = await importArticle({ name: 'w.htm', bytes: new Uint8Array(bytes) })
    expect(title).toBe('Café "now" - ...')
    expect(notes).toHaveLength(1)
  })
})

describe('another HTML file', () => {
  it('stays letter by letter, and its first heading offers itself as title', async () => {
    const html = '<title>Page</title><style>h1 { color: red }</style><h1>“Hi”</h1><!-- a --><p>b</p>'
    expect(await importArticle(file(html, 'x y.html'))).toEqual({
      html,
      title: '“Hi”',
      link: '/html/x y.html',
      word: false,
      notes: [],
    })
    expect((await importArticle(file('<title>Page</title><p>b</p>'))).title).toBe('Page')
  })

  it('says what readers will not see', async () => {
    const { notes } = await importArticle(
      file(
        '<img src="a_files/image001.png"><img src="https://x.example/a.png"><form></form><iframe></iframe>',
      ),
    )
    expect(notes.join('\n')).toMatch(/^A picture will not be shown.*\nScripts and forms .*\nEmbedded pages/)
  })

  it('says that it guessed the encoding', async () => {
    const { html, notes } = await importArticle({
      name: 'a',
      bytes: new Uint8Array(Buffer.from('<p>\xe9', 'latin1')),
    })
    expect(html).toBe('<p>é')
    expect(notes[0]).toMatch(/does not say how its characters are encoded/)
  })

  it('says that characters were lost', async () => {
    const bytes = new Uint8Array(Buffer.from('\ufeff<p>\ud83d</p>', 'utf16le'))
    expect((await importArticle({ name: 'a', bytes })).notes).toContain(
      'Content contains characters that cannot be encoded properly. Some characters may be lost.',
    )
  })

  it('survives storing, whatever is in it', async () => {
    const texts = fc.string({ unit: 'grapheme' }).map((text) => `<p>${text.replaceAll('\0', '')}`)
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const { html } = await importArticle(file(text))
        expect(decodeArticle(encodeArticle(html))).toEqual({ state: 'html', html: text })
      }),
    )
  })
})

describe('what cannot be imported', () => {
  it.each([
    ['text without a tag', 'Only words', 'The uploaded file does not appear to contain HTML content'],
    ['an empty file', '', 'The uploaded file does not appear to contain HTML content'],
    ['a binary file', '\x7fELF<\0\0', cannotProcess],
    ['an archive of Word', 'MIME-Version: 1.0\n<html>', /single file/],
    ['a document in the old format', '\xd0\xcf\x11\xe0', /old format/],
    ['half a document', 'PK\x03\x04 <', 'Error reading file'],
    ['what nobody could show', '<b>'.repeat(400_000), 'This file is too complex to be shown as an article.'],
    ['what is larger than the library takes', `<p>${'a'.repeat(7 * 1024 * 1024)}`, /too large/],
  ])('%s', async (_what, content, message) => {
    const bytes = new Uint8Array(Buffer.from(content, 'latin1'))
    const failure = await importArticle({ name: 'a', bytes }).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ImportError)
    expect((failure as ImportError).message).toMatch(message)
  })

  it('a file that is gone when it is read', async () => {
    const lost = new File([], 'a.html')
    lost.arrayBuffer = () => Promise.reject(new DOMException('gone', 'NotFoundError'))
    await expect(importArticleFile(lost)).rejects.toThrow('Error reading file')
    expect((await importArticleFile(new File(['<p>x'], 'a.html'))).html).toBe('<p>x')
  })
})

it('what is imported is harmless once it is shown', async () => {
  const { html } = await importArticle(
    fromWord(
      '<p class=MsoNormal onclick=go()>a<script>go()</script><a href="javascript:go()">b</a></p><base href=//x>',
    ),
  )
  expect(sanitiseArticle(html)).not.toMatch(/go\(\)|base|onclick/)
})

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
