import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expectHarmless } from '#tests/support/expect-harmless.ts'
import { sanitiseArticle } from './sanitise.ts'

describe('an article keeps', () => {
  it.each([
    [
      'paragraphs and emphasis',
      '<p>a <strong>b</strong> <em>c</em> H<sub>2</sub>O m<sup>2</sup> <mark>d</mark></p>',
    ],
    ['headings', '<h2>a</h2><h3>b</h3><h4>c</h4><h5>d</h5><h6>e</h6>'],
    [
      'lists',
      '<ol start="3" type="a"><li value="4">a<ul><li>b</li></ul></li></ol><dl><dt>a</dt><dd>b</dd></dl>',
    ],
    [
      'quotations and code',
      '<blockquote><p>a</p></blockquote><pre><code>b\n c</code></pre><hr><p>a<br>b</p>',
    ],
    ['details', '<details open><summary>a</summary><p>b</p></details>'],
    ['languages', '<p lang="de" dir="ltr">a <span lang="ar" dir="rtl">b</span></p>'],
    ['alignment', '<p align="center">a</p><p style="text-align:right">b</p>'],
    ['telephone and mail', '<a href="tel:988">a</a><a href="mailto:a@b.example">b</a>'],
    ['ways within the site', '<a href="/resources/podcast">a</a>'],
    ['classes with their styles', '<style>p.lead{font-size:14pt}</style><p class="lead">a</p>'],
    ['a first line break in a listing', '<pre>\n\na</pre>'],
    ['characters that look like markup', '<p>5 &#x3C; 6 &#x26;&#x26; 7 > 6</p>'],
  ])('%s', (_what, html) => expect(sanitiseArticle(html)).toBe(html))

  it('figures with their pictures', () => {
    expect(
      sanitiseArticle('<figure><img src="/a.webp" alt="b" width=640><figcaption>c</figcaption></figure>'),
    ).toBe(
      '<figure><img src="/a.webp" alt="b" width="640" loading="lazy" decoding="async" referrerpolicy="no-referrer">' +
        '<figcaption>c</figcaption></figure>',
    )
  })

  it('tables, each in a box that scrolls', () => {
    const table =
      '<table><caption>a</caption><thead><tr><th scope="col" colspan="2">b</th></tr></thead>' +
      '<tbody><tr><td rowspan="2">c</td><td>d</td></tr></tbody></table>'
    expect(sanitiseArticle(table)).toBe(`<div class="table-scroller">${table}</div>`)
  })

  it('what Word writes, without what only Word reads', () => {
    const word = `<html xmlns:o="urn:x"><head><meta name=Generator content="Word"><title>T</title>
      <!--[if gte mso 9]><xml><w:View>Normal</w:View></xml><![endif]-->
      <style><!-- @font-face {font-family:Calibri; panose-1:2 15 5;} p.MsoNormal {mso-style-parent:""; margin:0cm;
      font-family:"Calibri",sans-serif; mso-fareast-language:EN-US;} @page WordSection1 {size:595pt 842pt;} --></style>
      </head><body lang=EN-US style='tab-interval:36.0pt'><div class=WordSection1><h1>Title<o:p></o:p></h1>
      <p class=MsoNormal style='text-align:justify;mso-layout-grid-align:none'><span
      style='font-size:12.0pt;color:black;mso-themecolor:text1'>Hello<o:p>&nbsp;</o:p></span></p></div></body></html>`
    expect(
      sanitiseArticle(word)
        .replace(/\s*\n\s*/g, ' ')
        .trim(),
    ).toBe(
      '<style>p.MsoNormal{margin:0cm;font-family:"Calibri",sans-serif}</style> ' +
        '<div class="WordSection1"><h2>Title</h2> ' +
        '<p class="MsoNormal" style="text-align:justify"><span style="font-size:12.0pt">Hello\u00a0</span></p></div>',
    )
  })
})

describe('an article is put right', () => {
  it.each([
    ['the first heading belongs to the page', '<h1>a</h1>', '<h2>a</h2>'],
    ['landmarks belong to the page', '<main><nav>a</nav></main>', '<div><div>a</div></div>'],
    ['unknown elements leave their text', '<foo-bar>a <blink>b</blink></foo-bar>', 'a b'],
    [
      'elements named like our own code leave their text',
      '<constructor>a</constructor><__proto__>b',
      'a&#x3C;__proto__>b',
    ],
    ['cells without a table leave their text', '<td>a</td>', 'a'],
    [
      'anchors find their places',
      '<a name="p 1">a</a><a href="#p%201">b</a>',
      '<a id="article-p-1">a</a><a href="#article-p-1">b</a>',
    ],
    [
      'links to elsewhere tell it nothing',
      '<a href="https://a.example/" rel="opener author">a</a>',
      '<a href="https://a.example/" rel="noopener noreferrer">a</a>',
    ],
    [
      "pictures from somebody's disk are left out",
      '<p>a<img src="file:///c:/a.png" alt="b"></p>',
      '<p>a</p>',
    ],
    ['empty styles are left out', '<style>@page x{}</style><p style="mso-x:y">a</p>', '<p>a</p>'],
    [
      'sizes are sizes',
      '<table width="100%"><tr><td width="1e9" colspan="0" rowspan="70000">a</table>',
      '<div class="table-scroller"><table width="100%"><tbody><tr><td>a</td></tr></tbody></table></div>',
    ],
  ])('%s', (_what, html, expected) => expect(sanitiseArticle(html)).toBe(expected))
})

describe('whatever the article', () => {
  const names =
    'p b i a h1 div span table tr td ul li style svg math mtext mglyph foreignObject title template noscript form button select option pre textarea img script iframe details summary font nobr'
  const tags = names.split(' ').flatMap((name) => [`<${name}>`, `</${name}>`])
  const pieces = [
    ...tags,
    '<img src=x onerror=alert(1)>',
    '<a href="javascript:x" id=a name=b>',
    '<p style="color:red;position:fixed" class=c>',
    '<a href="https://a.example/?a=b&c">',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '"',
    "'",
    '`',
    '<',
    '>',
    '&lt;',
    '&',
    '\n',
    'text',
    '</style',
    '<svg><style>',
    '*{color:red}',
    '@import "x";',
    '<p title="</p><script>">',
  ]

  it('nothing in the result does harm, and a second time changes nothing', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 25 }), (parts) => {
        const clean = sanitiseArticle(parts.join(''))
        expectHarmless(clean)
        expect(sanitiseArticle(clean)).toBe(clean)
      }),
      { numRuns: 3000 },
    )
  })

  it('so it is with any text at all', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const clean = sanitiseArticle(text)
        expectHarmless(clean)
        expect(sanitiseArticle(clean)).toBe(clean)
      }),
    )
  })
})
