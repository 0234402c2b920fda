import { describe, expect, it } from 'vitest'
import { expectHarmless } from '#tests/support/expect-harmless.ts'
import { sanitiseArticle } from './sanitise.ts'

const becomes = (_attack: string, html: string, expected: string) => {
  expect(sanitiseArticle(html)).toBe(expected)
  expectHarmless(expected)
}

describe('scripts', () => {
  it.each([
    ['a script', 'a<script>alert(1)</script>b', 'ab'],
    ['a script in upper case with a source', '<SCRIPT SRC=https://evil.example/x.js></SCRIPT>b', 'b'],
    ['a script without an end', 'a<script>alert(1)', 'a'],
    ['a script in a script', '<scr<script>ipt>alert(1)</scr</script>ipt>b', 'ipt>alert(1)ipt>b'],
    ['a script with a slash for a space', '<script/x>alert(1)</script\n>b', 'b'],
    [
      'a script in an attribute',
      '<p title="<script>alert(1)</script>">a</p>',
      '<p title="<script>alert(1)</script>">a</p>',
    ],
    ['a script after a null character', '<scr\u0000ipt>alert(1)</scr\u0000ipt>', 'alert(1)'],
    ['a template', '<template><img src=x onerror=alert(1)></template>a', 'a'],
    [
      'a declarative shadow root',
      '<div><template shadowrootmode="open"><script>alert(1)</script></template>a</div>',
      '<div>a</div>',
    ],
    ['noscript', '<noscript><p title="</noscript><img src=x onerror=alert(1)>">a', ''],
    ['plaintext', '<plaintext><script>alert(1)</script>', '&#x3C;script>alert(1)&#x3C;/script>'],
    ['xmp', '<xmp><script>alert(1)</script></xmp>a', '&#x3C;script>alert(1)&#x3C;/script>a'],
    ['a text area', '<textarea><script>alert(1)</textarea><img src=x onerror=alert(1)>a', 'a'],
    ['a title', '<title></title><img src=x onerror=alert(1)></title>a', 'a'],
  ])('%s', becomes)
})

describe('event handlers', () => {
  it.each([
    [
      'onerror',
      '<img src="/a.png" onerror="alert(1)">',
      '<img src="/a.png" alt="" loading="lazy" decoding="async" referrerpolicy="no-referrer">',
    ],
    ['onclick without quotes', '<p onclick=alert(1)>a</p>', '<p>a</p>'],
    ['with a slash before', '<p/onclick=alert(1)>a</p>', '<p>a</p>'],
    ['in mixed case, with spaces', '<p OnMouseOver = alert(1)>a</p>', '<p>a</p>'],
    ['behind a broken quote', '<p title="a"onclick="alert(1)">a</p>', '<p title="a">a</p>'],
    [
      'behind an accent as a quote',
      '<img src="/a.png" alt="``onerror=alert(1)">',
      '<img src="/a.png" alt="&#x60;&#x60;onerror=alert(1)" loading="lazy" decoding="async" referrerpolicy="no-referrer">',
    ],
    ['on a body', '<body onload=alert(1)>a', 'a'],
    [
      'on details',
      '<details open ontoggle=alert(1)><summary>a</summary>b</details>',
      '<details open><summary>a</summary>b</details>',
    ],
    ['autofocus and tabindex', '<p autofocus tabindex=1 onfocus=alert(1) contenteditable>a</p>', '<p>a</p>'],
  ])('%s', becomes)
})

describe('embedding and forms', () => {
  it.each([
    ['an iframe', '<iframe src="https://evil.example/"></iframe>a', 'a'],
    ['an iframe with srcdoc', '<iframe srcdoc="<script>alert(1)</script>">x</iframe>a', 'a'],
    ['an object', '<object data="https://evil.example/x.swf"><param name=a value=b>x</object>a', 'a'],
    ['an embed', '<embed src="https://evil.example/x.swf">a', 'a'],
    ['a base', '<base href="https://evil.example/"><a href="b">a</a>', '<a>a</a>'],
    ['a refresh', '<meta http-equiv="refresh" content="0;url=https://evil.example/">a', 'a'],
    ['a style sheet', '<link rel="stylesheet" href="https://evil.example/x.css">a', 'a'],
    ['an import', '<link rel="import" href="https://evil.example/x.html">a', 'a'],
    [
      'a form',
      '<form action="https://evil.example/"><p>a</p><input name=p type=password><button formaction="javascript:alert(1)">Send</button></form>',
      '<p>a</p>Send',
    ],
    ['a select', '<select onchange=alert(1)><option>a</option></select>b', 'b'],
    [
      'a video',
      '<video src="https://evil.example/v.mp4" poster="https://evil.example/p.png" autoplay>x</video>a',
      'a',
    ],
    ['an audio', '<audio src=x onerror=alert(1)>x</audio>a', 'a'],
    ['a slot', '<slot name=x>a</slot>', 'a'],
    ['a dialog', '<dialog open>a</dialog>', 'a'],
    ['a popover', '<p popover id=x popovertarget=x>a</p>', '<p id="article-x">a</p>'],
    ['a portal', '<portal src="https://evil.example/"></portal>a', 'a'],
  ])('%s', becomes)
})
