import { describe, expect, it } from 'vitest'
import { expectHarmless } from '#tests/support/expect-harmless.ts'
import { sanitiseArticle } from './sanitise.ts'

const timed = (html: string) => {
  const start = performance.now()
  const clean = sanitiseArticle(html)
  return { clean, seconds: (performance.now() - start) / 1000 }
}

describe('what is too complex becomes plain text', () => {
  const numbered = (count: number, tag: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => tag(index)).join('')

  it.each([
    ['nested 10,000 levels deep', `${'<div>'.repeat(10_000)}a &lt;b&gt; c`, '<p>a &#x3C;b> c</p>'],
    ['nested 200,000 levels deep', `${'<div>'.repeat(200_000)}a`, '<p>a</p>'],
    ['with quotes nested too deeply', `${'<blockquote>'.repeat(500)}a`, '<p>a</p>'],
    ['with templates nested too deeply', `a${'<template>'.repeat(5_000)}`, '<p>a</p>'],
    [
      'with formatting that multiplies in every paragraph',
      `<p>${numbered(5_000, (index) => `<font a${index}>`)}</p>${'<p>a'.repeat(3)}`,
      '<p>a a a</p>',
    ],
    ['with 400,000 attributes', `<p ${numbered(400_000, (index) => `a${index} `)}>a`, '<p>a</p>'],
  ])('%s', (_what, html, expected) => {
    const { clean, seconds } = timed(html)
    expect(clean).toBe(expected)
    expect(seconds).toBeLessThan(10)
  })

  it('within a second for 10,000 levels', () => {
    expect(timed('<div>'.repeat(10_000)).seconds).toBeLessThan(1)
  })

  it('but 150 levels are shown as they are', () => {
    const html = `${'<div>'.repeat(150)}a${'</div>'.repeat(150)}`
    expect(sanitiseArticle(html)).toBe(html)
  })
})

describe('a great deal', () => {
  const paragraph =
    '<p class=MsoNormal style="margin:0cm 0cm 8pt;font-family:&quot;Calibri&quot;,sans-serif;mso-x:y">Some <b ' +
    'style="color:#1F3763">words</b> of an article. <span lang=EN-US style="mso-a:b">And more.</span></p>\n'

  it.each([
    ['a megabyte from Word', paragraph.repeat(5_000)],
    [
      'five megabytes of pictures',
      `<p>a</p><img alt="b" src="data:image/png;base64,${'A'.repeat(5_000_000)}">`,
    ],
    ['a megabyte of text', `<p>${'Fish &amp; chips < 5 '.repeat(50_000)}</p>`],
    [
      'a megabyte of faulty styles',
      Array.from({ length: 60_000 }, (_, index) => `<b style="x${index} y">a</b>`).join(''),
    ],
    ['a megabyte of less-than signs', '<'.repeat(1_000_000)],
    ['a megabyte of list items', '<li>a'.repeat(200_000)],
    ['a megabyte of fostered elements', `<table>${'<i></i>'.repeat(150_000)}`],
  ])('%s takes reasonable time', (_what, html) => {
    const { clean, seconds } = timed(html)
    expectHarmless(clean.slice(0, 100_000))
    expect(seconds).toBeLessThan(15)
  })
})
