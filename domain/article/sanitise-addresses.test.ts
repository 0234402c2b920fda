import { describe, expect, it } from 'vitest'
import { expectHarmless } from '#tests/support/expect-harmless.ts'
import { sanitiseArticle } from './sanitise.ts'

const becomes = (_attack: string, html: string, expected: string) => {
  expect(sanitiseArticle(html)).toBe(expected)
  expectHarmless(expected)
}

describe('addresses', () => {
  it.each([
    ['javascript:', '<a href="javascript:alert(1)">a</a>', '<a>a</a>'],
    ['in mixed case', '<a href="JaVaScRiPt:alert(1)">a</a>', '<a>a</a>'],
    ['with a tab inside', '<a href="java\tscript:alert(1)">a</a>', '<a>a</a>'],
    ['with an entity tab', '<a href="jav&#x09;ascript:alert(1)">a</a>', '<a>a</a>'],
    ['with an entity line break', '<a href="jav&#10;ascript:alert(1)">a</a>', '<a>a</a>'],
    ['with a control character before', '<a href="&#1;javascript:alert(1)">a</a>', '<a>a</a>'],
    ['with a space before', '<a href=" javascript:alert(1)">a</a>', '<a>a</a>'],
    [
      'written in entities',
      '<a href="&#106;&#97;&#118;&#97;&#115;&#99;&#114;&#105;&#112;&#116;&#58;alert(1)">a</a>',
      '<a>a</a>',
    ],
    ['written in entities without semicolons', '<a href="&#0000106avascript:alert(1)">a</a>', '<a>a</a>'],
    ['with a colon by name', '<a href="javascript&colon;alert(1)">a</a>', '<a>a</a>'],
    ['with a line feed by name', '<a href="java&NewLine;script:alert(1)">a</a>', '<a>a</a>'],
    ['vbscript:', '<a href="vbscript:msgbox(1)">a</a>', '<a>a</a>'],
    ['data:', '<a href="data:text/html,<script>alert(1)</script>">a</a>', '<a>a</a>'],
    ['blob:', '<a href="blob:https://evil.example/1">a</a>', '<a>a</a>'],
    ['file:', '<a href="file:///etc/passwd">a</a>', '<a>a</a>'],
    ['view-source:', '<a href="view-source:javascript:alert(1)">a</a>', '<a>a</a>'],
    ['another host by a path', '<a href="/.//evil.example">a</a>', '<a>a</a>'],
    [
      'a ping',
      '<a href="https://a.example/" ping="https://evil.example/" target="_blank" download>a</a>',
      '<a href="https://a.example/" rel="noopener noreferrer">a</a>',
    ],
    ['an image of SVG', '<img src="data:image/svg+xml;base64,PHN2Zz4=">a', 'a'],
    ['an image by javascript:', '<img src="javascript:alert(1)">a', 'a'],
    [
      'an image with srcset',
      '<img src="/a.png" srcset="http://evil.example/x 2x" lowsrc="x" longdesc="javascript:x">',
      '<img src="/a.png" alt="" loading="lazy" decoding="async" referrerpolicy="no-referrer">',
    ],
    ['an image over plain http', '<img src="http://evil.example/a.png">a', 'a'],
    [
      'an image map',
      '<img src="/a.png" usemap="#m"><map name=m><area href="javascript:alert(1)"></map>',
      '<img src="/a.png" alt="" loading="lazy" decoding="async" referrerpolicy="no-referrer">',
    ],
    [
      'a background attribute',
      '<table background="https://evil.example/a.png"><tr><td background="javascript:x">a</table>',
      '<div class="table-scroller"><table><tbody><tr><td>a</td></tr></tbody></table></div>',
    ],
    ['citations', '<q cite="javascript:alert(1)">a</q>', '<q>a</q>'],
    ['xlink:href', '<svg><a xlink:href="javascript:alert(1)"><text y=9>a</text></a></svg>b', 'b'],
  ])('%s', becomes)
})

describe('names', () => {
  it.each([
    ['an id', '<p id="content">a</p>', '<p id="article-content">a</p>'],
    ['an id of ours', '<p id="article-x">a</p>', '<p id="article-x">a</p>'],
    [
      'a name on an image',
      '<img src="/a.png" name="cookie">',
      '<img src="/a.png" alt="" loading="lazy" decoding="async" referrerpolicy="no-referrer">',
    ],
    ['a name on a link', '<a name="location">a</a>', '<a id="article-location">a</a>'],
    ['a form with a name', '<form name="body"><input name="parentNode">a</form>', 'a'],
    [
      'a prototype name',
      '<p id="__proto__" class="constructor" __proto__=x constructor=y>a</p>',
      '<p id="article-__proto__" class="constructor">a</p>',
    ],
    [
      'a part and a slot',
      '<p part=x exportparts=y slot=z is=a-b nonce=c itemprop=d data-x=e aria-hidden=true role=main>a</p>',
      '<p>a</p>',
    ],
  ])('%s', becomes)
})
