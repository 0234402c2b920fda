import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { filterStyle, filterStylesheet } from './css.ts'

describe('a style attribute keeps what dresses text', () => {
  it.each([
    ['margin: 0cm 0cm 8pt; line-height: 107%', 'margin:0cm 0cm 8pt;line-height:107%'],
    [
      'font-family: "Segoe UI", sans-serif; font-size: 11.0pt',
      'font-family:"Segoe UI",sans-serif;font-size:11.0pt',
    ],
    ['font: italic 7.0pt/1.5 "Times New Roman"', 'font:italic 7.0pt/1.5"Times New Roman"'],
    ['TEXT-ALIGN: Center !important', 'text-align:Center'],
    ['text-indent: -.25in; list-style-type: lower-roman', 'text-indent:-.25in;list-style-type:lower-roman'],
    ['border: solid 1px #c00; border-collapse: collapse', 'border:solid 1px #c00;border-collapse:collapse'],
    ['border: solid windowtext 1.0pt', 'border:solid currentcolor 1.0pt'],
    ['border-left: 0; border: 1px solid; border-left: 2px', 'border:1px solid;border-left:2px'],
    ['font-family: ＭＳ明朝', 'font-family:ＭＳ明朝'],
    ['mso-fareast-language: EN; tab-stops: 3pt; margin: 0', 'margin:0'],
    ['', ''],
  ])('%j becomes %j', (css, kept) => expect(filterStyle(css)).toBe(kept))
})

test.each([
  'position: fixed; top: 0; z-index: 9999',
  'position:/**/absolute',
  '\\70osition: fixed',
  'inset: 0; transform: scale(99); opacity: 0; filter: blur(1px); clip-path: none',
  'background: url(https://evil.example/a.png)',
  'background: URL("https://evil.example/a.png") red',
  'background: \\75rl(https://evil.example/a.png)',
  'background: u\\rl(https://evil.example/a.png)',
  'background: u/**/rl(https://evil.example/a.png)',
  'background-image: image-set("a.png" 1x)',
  'background: -webkit-image-set(url(a) 1x)',
  'list-style: url(https://evil.example/a.png)',
  'list-style-image: url(a)',
  'content: url(a)',
  'content: attr(title)',
  'cursor: url(a), auto',
  'width: expression(alert(1))',
  'width: exp/**/ression(alert(1))',
  'width: calc(100vw * 9)',
  'behavior: url(#default#VML)',
  '-moz-binding: url(https://evil.example/x.xml#x)',
  'color: var(--color-accent)',
  '--x: url(a)',
  'color: env(x)',
  'margin-left: -9999px',
  'margin: 0 -1px 0 0',
  'animation: x 1s infinite',
  'font-family: a\\"b',
  'width: 1\\70x',
  'color: red; } p { color: blue'.slice(10),
  '@import "https://evil.example/x.css"',
  '{}',
  ')(',
])('a style attribute loses %j', (css) => expect(filterStyle(css)).toBe(''))

describe('a style sheet', () => {
  it.each([
    ['<!-- p.MsoNormal, li { margin: 0 } -->', 'p.MsoNormal,li{margin:0}'],
    ['/* Font Definitions */ @font-face { font-family: x; src: url(x) } p { margin: 0 }', 'p{margin:0}'],
    ['@page WordSection1 { size: 8.5in 11in } div.WordSection1 { page: WordSection1 }', ''],
    ['@import "https://evil.example/x.css"; @namespace x "y"; @charset "x"; p { margin: 0 }', 'p{margin:0}'],
    ['@keyframes x { to { margin: 0 } } @layer x { p { margin: 0 } }', ''],
    ['@media print { p { orphans: 3; position: fixed } }', '@media print{p{orphans:3}}'],
    [
      '@media screen and (max-width: 600px), (prefers-color-scheme: dark) { p { margin: 0 } }',
      '@media screen and (max-width:600px),(prefers-color-scheme:dark){p{margin:0}}',
    ],
    ['@media (width < 600px) { p { margin: 0 } }', ''],
    ['@supports (display: grid) { p { margin: 0 } }', ''],
    [
      'h2:first-child, li:nth-child(2n+1), p::first-letter, a:not(.x) { margin: 0 }',
      'h2:first-child,li:nth-child(2n+1),p::first-letter,a:not(.x){margin:0}',
    ],
    ['#top > p + p { margin: 0 }', '#article-top>p+p{margin:0}'],
    [':host, :host(p), :host-context(body), ::slotted(p), ::part(x), p { margin: 0 }', 'p{margin:0}'],
    [':host { margin: 0 }', ''],
    ['p:not(:host) { margin: 0 }', ''],
    ['v\\:* { behavior: url(#default#VML) } o\\:p { margin: 0 }', ''],
    ['input[value^="a"] { margin: 0 }', ''],
    ['p { margin: 0; & a { margin: 1px } b { margin: 2px } }', 'p{margin:0}'],
    ['p { } q { position: fixed }', ''],
    ['p { margin: 0', 'p{margin:0}'],
    ['} p { margin: 0 }', ''],
    [
      'p::before { content: "\\2022 \\3c/style>\\3cscript>" }',
      'p::before{content:"•\\3c /style>\\3c script>"}',
    ],
  ])('%j becomes %j', (css, kept) => expect(filterStylesheet(css)).toBe(kept))

  it('never holds what could end its element', () => {
    expect(filterStylesheet('p { font-family: "</style><script>alert(1)</script>" }')).not.toContain('<')
  })
})

describe('hostile styles', () => {
  it.each([
    ['errors', 'p{b c}$x{d e}'.repeat(30_000)],
    ['nested media', '@media print{'.repeat(20_000)],
    ['parentheses', `p{color:${'('.repeat(200_000)}`],
    ['selectors', `${':not('.repeat(50_000)}`],
    ['braces', '{'.repeat(300_000)],
    ['size', 'p{margin:0}'.repeat(100_000)],
  ])('of many %s take no time', (_what, css) => {
    const start = performance.now()
    filterStylesheet(css)
    filterStyle(css)
    expect(performance.now() - start).toBeLessThan(1500)
  })

  it('are filtered for good: a second time changes nothing', () => {
    const pieces = [
      'color',
      'background',
      'font-family',
      'margin',
      'border',
      ':',
      ';',
      '{',
      '}',
      '(',
      ')',
      ',',
      ' ',
      '/**/',
      '"',
      "'",
      'red',
      '#fff',
      '#ABCDEF',
      'rgb(1,2,3)',
      'rgb(10% 90% 10% / .5)',
      'hsl(120,50%,50%)',
      'black',
      'url(x)',
      '\\',
      '<',
      '-1px',
      '1em',
      'p',
      '.a',
      '#b',
      '@media print',
      ':hover',
      '::before',
      'oklch(from red l c h)',
      'light-dark(red,blue)',
      '!important',
      '\n',
      'é',
      '<!--',
      '-->',
    ]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 30 }), (parts) => {
        const css = parts.join('')
        const [sheet, style] = [filterStylesheet(`p{${css}`), filterStyle(css)]
        expect(filterStylesheet(sheet)).toBe(sheet)
        expect(filterStyle(style)).toBe(style)
      }),
      { numRuns: 3000 },
    )
  })
})
