import { describe, expect, it } from 'vitest'
import { rssDate, toXml } from './reading-feed.ts'

describe('toXml', () => {
  it('escapes what a text must not say to a parser', () => {
    expect(toXml({ title: `</title><x a="'">&` })).toContain(
      '<title>&lt;/title&gt;&lt;x a=&quot;&apos;&quot;&gt;&amp;</title>',
    )
  })

  it('escapes attributes too', () => {
    expect(toXml({ link: { '@href': '/a?b=1&c="2"' } })).toContain(
      '<link href="/a?b=1&amp;c=&quot;2&quot;"/>',
    )
  })

  it('drops characters that XML forbids even when escaped, and keeps the rest', () => {
    expect(toXml({ title: 'a\u0001b\u000bc\ufffed\ud800e\tf\u{1f600}' })).toContain(
      '<title>abcde\tf\u{1f600}</title>',
    )
  })

  it('writes "true" as an attribute value, not as a bare attribute', () => {
    expect(toXml({ guid: { '@isPermaLink': 'true', '#text': 'x' } })).toContain(
      '<guid isPermaLink="true">x</guid>',
    )
  })

  it('repeats an element for each entry of a list and leaves out what is undefined', () => {
    expect(toXml({ a: { b: [{ c: 1 }, { c: undefined }] } })).toMatch(/<a><b><c>1<\/c><\/b><b\/><\/a>$/)
  })
})

describe('rssDate', () => {
  it('gives midnight UTC in the form of RFC 822', () => {
    expect(rssDate('2026-11-04')).toBe('Wed, 04 Nov 2026 00:00:00 GMT')
  })

  it('gives nothing for what is no date', () => {
    expect(rssDate('soon')).toBeUndefined()
  })
})
