import { describe, expect, it } from 'vitest'
import { expectHarmless } from '#tests/support/expect-harmless.ts'
import { sanitiseArticle } from './sanitise.ts'

const becomes = (_attack: string, html: string, expected: string) => {
  expect(sanitiseArticle(html)).toBe(expected)
  expectHarmless(expected)
}

describe('foreign content and mutations', () => {
  it.each([
    ['a script in SVG', '<svg><script>alert(1)</script></svg>a', 'a'],
    [
      'an animation',
      '<svg><a><animate attributeName=href values=javascript:alert(1) /><text>x</text></a></svg>a',
      'a',
    ],
    ['a foreign object', '<svg><foreignObject><img src=x onerror=alert(1)></foreignObject></svg>a', 'a'],
    ['a use', '<svg><use href="data:image/svg+xml,<svg id=x/>#x" /></svg>a', 'a'],
    ['a style in SVG', '<svg><style><img src=x onerror=alert(1)></style></svg>a', 'a'],
    [
      'SVG in a paragraph with a style',
      '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">a',
      '<p></p>">a',
    ],
    [
      'MathML with a glyph',
      '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">a',
      '',
    ],
    [
      'MathML in a form',
      '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)></style>a',
      '',
    ],
    ['MathML with a link', '<math href="javascript:alert(1)">x</math>a', 'a'],
    [
      'an annotation',
      '<math><annotation-xml encoding="text/html"><style><img src=x onerror=alert(1)></style></annotation-xml></math>a',
      'a',
    ],
    ['a comment that ends early', '<!--><img src=x onerror=alert(1)>-->a', '-->a'],
    ['a comment with a bang', '<!-- x --!><img src=x onerror=alert(1)>a', 'a'],
    ['a conditional comment', '<!--[if gte IE 4]><script>alert(1)</script><![endif]-->a', 'a'],
    ['a revealed conditional comment', '<![if !IE]><b>a</b><![endif]>', '<b>a</b>'],
    ['CDATA', '<![CDATA[<script>alert(1)</script>]]>a', 'alert(1)]]>a'],
    ['a processing instruction', '<?xml version="1.0"?><?xml:namespace prefix="t"/>a', 'a'],
    ['an unclosed tag', 'a<img src=x onerror=alert(1) ', 'a'],
    ['an unclosed quote', '<a href="https://a.example/>a</a><script>alert(1)</script>', ''],
    [
      'a quote closed elsewhere',
      "<p title='\"><script>alert(1)</script>'>a</p>",
      '<p title="&#x22;><script>alert(1)</script>">a</p>',
    ],
    [
      'text in a table',
      '<table><script>alert(1)</script>a<tr><td>b</table>',
      'a<div class="table-scroller"><table><tbody><tr><td>b</td></tr></tbody></table></div>',
    ],
    ['a stray end', '</div></template></body></html>a', 'a'],
  ])('%s', becomes)
})
